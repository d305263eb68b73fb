import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Writes a file whole or not at all: under another name beside its place, then renamed. A reader sees the old file
 * or the new one. Makes the folder.
 */
export function writeFileWhole(path: string, content: string | Buffer): void {
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
