import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A data file of this room, by folder and name; the file's own `name` must agree.
 * @throws Error when it is missing, is not JSON or calls itself otherwise
 */
export function readDataFile<T extends { name: string }>(folder: string, name: string): T {
  const data = JSON.parse(readFileSync(join(__dirname, folder, `${name}.json`), 'utf8')) as T;
  if (data.name !== name) throw new Error(`presets/${folder}/${name}.json calls itself ${data.name}`);
  return data;
}
