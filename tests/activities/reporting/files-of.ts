import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The text of every file below a folder, by its path from there (`/bench/…`), in the order of the paths. */
export function filesOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path.slice(folder.length), readFileSync(path, 'utf8')]),
  );
}
