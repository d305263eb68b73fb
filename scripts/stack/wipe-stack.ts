import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stackHome } from './home';
import { localDataDirectory } from './local-postgres';
import { readRecord } from './stack-record';
import { whileLocked } from './start-lock';

/**
 * What `wipeStack` removes: the databases, their secrets and the logs. Files of results (artifacts) are the user's
 * and stay.
 */
export async function wipeablePaths(): Promise<string[]> {
  const home = stackHome();
  const { postgres } = await readRecord(home.record);
  const dataDirectory = postgres?.dataDirectory ?? (await localDataDirectory(home));
  const folder = dirname(dataDirectory);
  const siblings = await readdir(folder).catch(() => []);
  return [
    // With it go its remains and, where one had to be made, the copy of the Postgres programs.
    ...siblings.filter((name) => /^postgres($|\.|-programs-)/.test(name)).map((name) => join(folder, name)),
    ...['', '-shm', '-wal', '-journal'].map((suffix) => `${home.temporalDb}${suffix}`),
    home.secrets,
    home.logs,
    home.record,
  ];
}

/** Removes them. The stack must be down. */
export async function wipeStack(options: { report: (line: string) => void }): Promise<void> {
  const home = stackHome();
  await whileLocked(home.lock, options.report, async () => {
    for (const path of await wipeablePaths()) await rm(path, { recursive: true, force: true });
  });
}
