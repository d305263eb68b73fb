import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endProcess, identify, isAlive, type OwnProcess } from '../../scripts/stack/own-process';
import { runningPostgres } from '../../scripts/stack/postgres-server';

const PREFIX = 'co-scientist-test-';
const OWNER = 'owner.json';
const TEMPORAL = 'temporal.json';

/** A folder for all that one run of jest starts; it names the run, so that a later one can tidy up after it. */
export async function makeRunFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), PREFIX));
  await chmod(folder, 0o711); // the Postgres server may run as another user and must pass through
  await writeFile(join(folder, OWNER), JSON.stringify(await identify(process.pid)));
  return folder;
}

export async function noteTemporal(folder: string, own: OwnProcess): Promise<void> {
  await writeFile(join(folder, TEMPORAL), JSON.stringify(own));
}

/** Ends what a run started and removes its folder. */
export async function endRun(folder: string): Promise<void> {
  const postgres = await runningPostgres(join(folder, 'postgres'));
  await Promise.all([
    endProcess(await readProcess(folder, TEMPORAL), 10_000),
    endProcess(postgres?.process, 10_000, ['SIGQUIT', 'SIGKILL']), // SIGQUIT: Postgres ends at once
  ]);
  await rm(folder, { recursive: true, force: true });
}

/** Ends what runs left behind that were killed before their tear-down. */
export async function endDeadRuns(): Promise<void> {
  const names = await readdir(tmpdir());
  for (const folder of names.filter((name) => name.startsWith(PREFIX)).map((name) => join(tmpdir(), name))) {
    const owner = await readProcess(folder, OWNER);
    if (owner && !(await isAlive(owner))) await endRun(folder);
  }
}

async function readProcess(folder: string, name: string): Promise<OwnProcess | null> {
  const text = await readFile(join(folder, name), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as OwnProcess);
}
