import { Kysely, PostgresDialect } from 'kysely';
import { Pool, types } from 'pg';
import { PreparingClient } from './preparing-client';
import type { BenchTables } from './schema';

export type Database = Kysely<BenchTables>;

const NUMERIC = 1700;
const INT8 = 20;

/**
 * Opens a pool. `numeric` and `bigint` are read as numbers: amounts here stay far below 2^53 and carry at most 12
 * decimals; sums are made in SQL, where they are exact.
 * @param url Postgres URL
 * @param options.applicationName how `pg_stat_activity` shows it
 */
export function openDatabase<Tables = BenchTables>(
  url: string,
  options: { maxConnections?: number; applicationName?: string } = {},
): Kysely<Tables> {
  const pool = new Pool({
    Client: PreparingClient,
    connectionString: url,
    max: options.maxConnections ?? 20,
    ...(options.applicationName === undefined ? {} : { application_name: options.applicationName }),
    connectionTimeoutMillis: 10_000,
    // A server that is gone without a word (its host, or the network) is noticed in some 20 s, not never: whoever waits
    // for its answer may hold one that was paid for. (Node asks once a second, ten times, from here on.)
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // Whoever stops in the middle of a transaction, a process that hangs say, keeps nobody else waiting for its locks.
    idle_in_transaction_session_timeout: 60_000,
    types: { getTypeParser: readNumbers as typeof types.getTypeParser },
    // A statement that is prepared keeps one plan: ours find their rows by keys, whatever the values are. The cost is that
    // of a solid-state disk: with that of a turning one, a plan that is made while a table is empty reads all of it.
    onConnect: (client) =>
      client.query('SET plan_cache_mode = force_generic_plan; SET random_page_cost = 1.1'),
  });
  // A connection that dies is replaced by the pool. Without listeners it would end the process: the pool's own hears of
  // those that are idle, the connection's of those in use, between two statements of a transaction.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', () => {});
  });
  // A server that a failover has made a standby keeps its connections: they would read for ever, and never write.
  pool.on('release', (_, client) => {
    if (client instanceof PreparingClient && client.onlyReads) client.end().catch(() => {});
  });
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

function readNumbers(oid: number, format?: 'text' | 'binary'): unknown {
  if (oid === NUMERIC || oid === INT8) return Number;
  return types.getTypeParser(oid, format as 'text');
}
