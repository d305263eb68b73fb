import { sql } from 'kysely';
import { type Database, openDatabase } from '../../db/database';

/** What tells two benches of the same input apart, and no result: ids, clocks, and the order in which calls came. */
const LEFT_OUT = [
  'public_id',
  'workflow_id',
  'first_run_id',
  'session',
  ...[
    'created_at',
    'finished_at',
    'sent_at',
    'ended_at',
    'lease_until',
    'latency_ms',
    'started_at',
    'updated_at',
  ],
  // A bound is tighter for calls admitted after the model's first ones have settled.
  ...['bound_usd', 'charged_usd', 'overrun_usd'],
];

/**
 * All rows of a bench, table by table, in one order and with its id taken out: benches of the same seed, input and
 * models must be equal in them.
 */
export async function readBenchRows(db: Database, benchId: string): Promise<Record<string, unknown[]>> {
  const tables: Record<string, unknown[]> = {};
  for (const table of await benchTables(db)) {
    const column = table === 'bench_runs' ? 'id' : 'bench_id';
    const { rows } = await sql<Record<string, unknown>>`
      SELECT * FROM ${sql.id(table)} WHERE ${sql.id(column)} = ${benchId}`.execute(db);
    tables[table] = rows.map((row) => withoutIds(row, benchId)).sort();
  }
  return tables;
}

function withoutIds(row: Record<string, unknown>, benchId: string): string {
  const kept = Object.entries(row).filter(([column]) => !LEFT_OUT.includes(column));
  return JSON.stringify(Object.fromEntries(kept)).replaceAll(benchId, 'BENCH');
}

/** Tables that hold rows of a bench. */
async function benchTables(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = current_schema() AND column_name = 'bench_id'
    UNION SELECT 'bench_runs' ORDER BY 1`.execute(db);
  return rows.map((row) => row.name);
}

/**
 * Every row of every table of a database, as text, by table.
 * @param ownerUrl of the role that may read them all
 */
export async function readAllRows(ownerUrl: string): Promise<Record<string, string[]>> {
  const db = openDatabase(ownerUrl, { maxConnections: 1 });
  const { rows: tables } = await sql<{ name: string }>`
    SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1`.execute(db);
  const all: Record<string, string[]> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`
      SELECT t::text AS row FROM ${sql.id(name)} t ORDER BY 1`.execute(db);
    all[name] = rows.map(({ row }) => row);
  }
  await db.destroy();
  return all;
}

/** The ledger's rows of a bench: who was asked, how often, and what came of it. */
export async function readCalls(db: Database, benchId: string) {
  return db
    .selectFrom('bench_llm_calls')
    .select(['key', 'attempt', 'kind', 'state', 'failure_kind', 'http_status'])
    .where('bench_id', '=', benchId)
    .orderBy('key')
    .orderBy('attempt')
    .execute();
}

/** The id of a bench, by its workflow's; throws while there is none. */
export async function readBenchId(db: Database, workflowId: string): Promise<string> {
  const row = await db
    .selectFrom('bench_runs')
    .select('id')
    .where('workflow_id', '=', workflowId)
    .executeTakeFirstOrThrow();
  return row.id;
}
