import { chmod, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepRunning } from './running';
import { startTestPostgres } from './test-postgres';
import { STACK_FILE, STACK_SWITCH, type TestStack } from './test-stack';

/** Starts one Postgres and one Temporal server for the whole run. */
// biome-ignore lint/style/noDefaultExport: jest calls a set-up's default export
export default async function setUp(): Promise<void> {
  if (process.env[STACK_SWITCH] === 'off') return;
  const folder = await mkdtemp(join(tmpdir(), 'co-scientist-test-'));
  await chmod(folder, 0o711); // the Postgres server may run as another user and must pass through
  const { cluster, postgres } = await startTestPostgres(folder);
  const stack: TestStack = { postgres, temporal: { problem: 'not started' } };
  const file = join(folder, 'stack.json');
  await writeFile(file, JSON.stringify(stack), { mode: 0o600 });
  process.env[STACK_FILE] = file;
  keepRunning({ folder, cluster, temporal: null });
}
