import { readFileSync, statSync } from 'node:fs';
import { UsageError } from './cli-error';

/**
 * Looks whether there is such a file before anything is made of it.
 * @param name of its option or argument
 * @throws UsageError where there is none
 */
export function requireFile(name: string, path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && !found.isDirectory()) return;
  throw new UsageError({
    reason: `${name}: ${path} cannot be read: ${found ? 'it is a folder' : 'no such file'}`,
    remedy: 'name a file that can be read',
  });
}

/**
 * A file's text, without the byte order mark that Windows editors begin it with.
 * @param name of its option or argument
 * @throws UsageError where it cannot be read, or is not UTF-8
 */
export function readTextFile(name: string, path: string): string {
  const place = `${name}: ${path}`;
  try {
    return textOf(readFileSync(path), place);
  } catch (error) {
    throw error instanceof UsageError ? error : unreadable(place, error, 'name a file that can be read');
  }
}

/**
 * Bytes as the UTF-8 they have to be: what is read over as `�` would be paid for.
 * @param place for the error
 * @throws UsageError where they are not
 */
export function textOf(bytes: Uint8Array, place: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new UsageError({
      reason: `${place} is not UTF-8 text`,
      remedy: 'save it in the encoding UTF-8',
      error,
    });
  }
}

const CAUSES: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
  ENOENT: 'no such file',
  ENOTDIR: 'a part of it is a file, no folder',
};

/**
 * What to throw where reading failed.
 * @param subject the file, as its user named it
 * @param error of node:fs
 */
export function unreadable(subject: string, error: unknown, remedy: string): UsageError {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const cause = CAUSES[code] ?? (code || message);
  return new UsageError({ reason: `${subject} cannot be read: ${cause}`, remedy, error });
}
