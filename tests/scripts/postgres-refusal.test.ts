import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../db/database';
import { runCommandLine } from '../../scripts/co-scientist';
import { seedBench } from '../db/seed-bench';
import { createTestDatabase, type TestDatabase } from '../stack/test-database';
import { testTemporal } from '../stack/test-temporal';

const home = mkdtempSync(join(tmpdir(), 'postgres-refusal-'));
let database: TestDatabase;
let benchId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  const db = openDatabase(database.workerUrl, { maxConnections: 1 });
  benchId = await seedBench(db);
  await db.updateTable('bench_runs').set({ state: 'finished', finished_at: new Date() }).execute();
  await db.destroy();
  Object.assign(process.env, { CO_SCIENTIST_HOME: home, TEMPORAL_ADDRESS: testTemporal().address });
});
afterAll(async () => {
  await database.drop();
  rmSync(home, { recursive: true });
});

/** What a command says whose sessions have this setting, as an administrator may give it to a role. */
async function saidUnder(setting: string, args: string[]): Promise<string[]> {
  const url = new URL(database.workerUrl);
  url.searchParams.set('options', `-c ${setting}`);
  Object.assign(process.env, { DATABASE_URL: url.href });
  const said: string[] = [];
  const write = jest.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  expect(await runCommandLine(args)).toBe(1);
  write.mockRestore();
  return said.join('').split('\n');
}

test('a cap that cannot be raised where Postgres only reads is told in 2 lines, a cause and a way out', async () => {
  expect(
    await saidUnder('default_transaction_read_only=on', ['raise-budget', benchId, 'judge', '9']),
  ).toEqual([
    'error: Postgres takes no changes: it is a standby, or was set to only read (cannot execute UPDATE in a read-only transaction)',
    '  fix: name the one that does in DATABASE_URL',
    '',
  ]);
});

test('so is a lock that is waited for no longer than 1 ms', async () => {
  const holder = openDatabase(database.ownerUrl, { maxConnections: 1 });
  const tx = await holder.startTransaction().execute();
  await tx.selectFrom('bench_budgets').select('id').forUpdate().execute();
  const said = await saidUnder('lock_timeout=1ms', ['raise-budget', benchId, 'judge', '9']);
  await tx.rollback().execute();
  await holder.destroy();
  expect(said[0]).toContain('error: Postgres has waited too long for a lock (canceling statement');
  expect(said[1]).toContain("fix: try again; or raise the role's lock_timeout");
});
