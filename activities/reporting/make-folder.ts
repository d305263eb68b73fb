import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder, and of those above it what is missing. (Node's own `recursive` never returns where a folder that is there
 * says of a new one ENOENT, as /proc does.)
 * @returns the topmost that it made; undefined: all were there
 * @throws what the system says of the first that cannot be made
 */
export function makeFolder(folder: string, mode = 0o777): string | undefined {
  if (isFolder(folder)) return undefined;
  const parent = dirname(folder);
  const first = parent === folder ? undefined : makeFolder(parent, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isFolder(folder)) throw error;
    return first;
  }
  return first ?? folder;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
