import { sql } from 'kysely';
import type { Database } from './database';

/** Between two calls the bench itself is at work; when none has been out for longer, it stood still. */
const STANDSTILL = sql`interval '10 seconds'`;

/** The times at which calls were out, shorter gaps filled. Of a call whose worker died nothing is known after its lease. */
const WORK = sql`range_agg(tstzrange(sent_at, ${STANDSTILL} +
  greatest(sent_at, least(coalesce(ended_at, clock_timestamp()), lease_until))))`;

/** Length of `work`, in milliseconds. */
const WORK_MS = sql<number>`1000 * coalesce((
  SELECT sum(extract(epoch FROM upper(span) - lower(span) - ${STANDSTILL})) FROM unnest(work) AS span), 0)::float8`;

/**
 * How long a bench's candidates and their reviewer have been at work so far, in milliseconds: what it stood still, ended,
 * paused or without a worker, is not in it. 0 before the first call.
 */
export async function readWritingMs(db: Database, benchId: string): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    SELECT ${WORK_MS} AS ms
      FROM (SELECT ${WORK} AS work FROM bench_llm_calls
             WHERE bench_id = ${benchId} AND kind IN ('generation','review')) AS calls`.execute(db);
  return rows[0]?.ms ?? 0;
}

/** Answers of the judge that came in the last two minutes, and how long the work on them took, in milliseconds. */
export async function readPace(db: Database, benchId: string): Promise<{ verdicts: number; overMs: number }> {
  const { rows } = await sql<{ verdicts: number; overMs: number }>`
    SELECT verdicts, ${WORK_MS} AS "overMs"
      FROM (SELECT count(*) FILTER (WHERE kind = 'judge' AND state = 'settled') AS verdicts, ${WORK} AS work
              FROM bench_llm_calls
             WHERE bench_id = ${benchId} AND kind IN ('judge','debate')
               AND ((state IN ('settled','failed') AND ended_at > clock_timestamp() - interval '2 minutes')
                    OR (state = 'sent' AND lease_until > clock_timestamp()))) AS calls`.execute(db);
  return rows[0] ?? { verdicts: 0, overMs: 0 };
}
