import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { stackHome } from './home';
import { readRecord } from './stack-record';
import { whileLocked } from './start-lock';

/**
 * What `wipeStack` removes: the databases, their secrets and the logs. Files of results (artifacts) are the user's
 * and stay.
 */
export async function wipeablePaths(): Promise<string[]> {
  const home = stackHome();
  const { postgres } = await readRecord(home.record);
  const dataDirectory = postgres?.dataDirectory ?? join(home.root, 'postgres');
  return [
    dataDirectory,
    ...['', '-shm', '-wal'].map((suffix) => `${home.temporalDb}${suffix}`),
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
