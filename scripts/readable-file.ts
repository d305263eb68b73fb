import { statSync } from 'node:fs';
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
 * What to throw where reading failed.
 * @param subject the file, as its user named it
 * @param error of node:fs
 */
export function unreadable(subject: string, error: unknown, remedy: string): UsageError {
  const { code, message } = error as NodeJS.ErrnoException;
  const cause = code === 'ENOENT' ? 'no such file' : (code ?? message);
  return new UsageError({ reason: `${subject} cannot be read: ${cause}`, remedy, error });
}
