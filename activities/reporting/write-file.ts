import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Writes a file whole or not at all: under another name beside its place, then renamed. A reader sees the old file
 * or the new one. Makes the folder. A file that holds these bytes already stays as it is: some file systems write
 * out at once what takes another's place, which for tens of thousands of files takes a minute.
 */
export function writeFileWhole(path: string, text: string): void {
  const content = Buffer.from(text, 'utf8');
  if (holds(path, content)) return;
  const folder = dirname(path);
  const temporary = join(folder, `.${basename(path)}.${process.pid}.tmp`);
  try {
    try {
      writeFileSync(temporary, content);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      mkdirSync(folder, { recursive: true });
      writeFileSync(temporary, content);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function holds(path: string, content: Buffer): boolean {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  return size === content.length && readFileSync(path).equals(content);
}
