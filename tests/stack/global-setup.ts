import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { obtainTemporalCli } from '../../scripts/stack/obtain-temporal-cli';
import { startTemporal } from '../../scripts/stack/temporal-server';
import { endDeadRuns, makeRunFolder, noteTemporal } from './run-folder';
import { startTestPostgres } from './test-postgres';
import { STACK_FILE, STACK_SWITCH, type TestStack } from './test-stack';

/** Starts one Postgres and one Temporal server for the whole run. */
// biome-ignore lint/style/noDefaultExport: jest calls a set-up's default export
export default async function setUp(): Promise<void> {
  if (process.env[STACK_SWITCH] === 'off') return;
  await endDeadRuns();
  const folder = await makeRunFolder();
  const [postgres, temporal] = await Promise.all([startTestPostgres(folder), startTestTemporal(folder)]);
  const file = join(folder, 'stack.json');
  await writeFile(file, JSON.stringify({ postgres, temporal } satisfies TestStack), { mode: 0o600 });
  process.env[STACK_FILE] = file;
}

/** In memory and without UI. Where no CLI is to be had, the tests that need no server still run. */
async function startTestTemporal(folder: string): Promise<TestStack['temporal']> {
  try {
    const cli = await obtainTemporalCli((line) => process.stderr.write(`${line}\n`));
    const server = await startTemporal({
      executable: cli.executable,
      dbFile: null,
      logFile: join(folder, 'temporal.log'),
      namespace: 'default',
      wanted: { grpc: [], ui: null },
      cwd: folder,
    });
    await noteTemporal(folder, server.process);
    return { address: `127.0.0.1:${server.port}`, executable: cli.executable };
  } catch (error) {
    return { problem: String(error) };
  }
}
