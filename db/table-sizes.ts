import { sql } from 'kysely';
import type { Database } from './database';

/** A table of the bench's, with its indexes and long texts. */
export interface TableSize {
  table: string;
  /** Counted, not estimated. */
  rows: number;
  bytes: number;
}

/** Every `bench_*` table, by name. Counting reads them whole. */
export async function readTableSizes(db: Database): Promise<TableSize[]> {
  const { rows } = await sql<TableSize>`
    SELECT tablename AS table,
           (xpath('/row/n/text()', query_to_xml(format('SELECT count(*) AS n FROM %I', tablename), false, true, '')))[1]::text::int AS rows,
           pg_total_relation_size(format('%I', tablename)::regclass)::float8 AS bytes
      FROM pg_tables WHERE schemaname = current_schema() AND tablename LIKE 'bench\\_%'
       AND has_table_privilege(format('%I', tablename)::regclass, 'SELECT')
     ORDER BY 1`.execute(db);
  return rows;
}

/** When a bench's calls of one kind were made, and how many were answered. */
export interface CallSpan {
  answered: number;
  /** From the first request to the last answer, in seconds; 0 without an answer. */
  seconds: number;
}

/** Of settled calls alone. */
export async function readCallSpan(
  db: Database,
  benchId: string,
  kind: 'judge' | 'generation' | 'review',
): Promise<CallSpan> {
  const { rows } = await sql<CallSpan>`
    SELECT count(*)::int AS answered,
           coalesce(extract(epoch FROM max(ended_at) - min(sent_at)), 0)::float8 AS seconds
      FROM bench_llm_calls WHERE bench_id = ${benchId} AND kind = ${kind} AND state = 'settled'`.execute(db);
  return rows[0] ?? { answered: 0, seconds: 0 };
}
