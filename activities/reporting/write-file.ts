import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from './make-folder';

/**
 * Writes a file whole or not at all: under another name beside its place, then renamed. A reader sees the old file
 * or the new one. Makes the folder. A file that holds these bytes already stays as it is: some file systems write
 * out at once what takes another's place, which for tens of thousands of files takes a minute.
 */
export function writeFileWhole(path: string, text: string): void {
  writePartsWhole(path, [text]);
}

/**
 * The same of a text in parts, of which no more than two stand in memory at once.
 * @returns how many bytes the file has
 */
export function writePartsWhole(path: string, parts: Iterable<string>): number {
  const iterator = parts[Symbol.iterator]();
  const first = Buffer.from(nextPart(iterator) ?? '', 'utf8');
  const second = nextPart(iterator);
  if (second === undefined && holds(path, first)) return first.length;
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  try {
    const file = openIn(temporary);
    let bytes = first.length;
    try {
      writeFileSync(file, first);
      for (let part = second; part !== undefined; part = nextPart(iterator)) {
        writeFileSync(file, part);
        bytes += Buffer.byteLength(part);
      }
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
    return bytes;
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function nextPart(parts: Iterator<string>): string | undefined {
  const { value, done } = parts.next();
  return done ? undefined : value;
}

/** Opens it for writing, and makes its folder where there is none. */
function openIn(path: string): number {
  try {
    return openSync(path, 'w');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    makeFolder(dirname(path));
    return openSync(path, 'w');
  }
}

function holds(path: string, content: Buffer): boolean {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  return size === content.length && readFileSync(path).equals(content);
}
