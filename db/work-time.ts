import { sql } from 'kysely';
import type { Database } from './database';

/** Between two calls the bench itself is at work; when none has been out for longer, it stood still. */
const STANDSTILL = sql`interval '10 seconds'`;

/** The times at which calls were out, shorter gaps filled. Of a call whose worker died nothing is known after its lease. */
const WORK = sql`range_agg(tstzrange(sent_at, ${STANDSTILL} +
  greatest(sent_at, least(coalesce(ended_at, clock_timestamp()), lease_until))))`;

/** Length of a sum of such times, in milliseconds. */
function lengthMs(work: 'work' | 'writing') {
  return sql<number>`1000 * coalesce((SELECT sum(extract(epoch FROM upper(span) - lower(span) - ${STANDSTILL}))
                                        FROM unnest(${sql.ref(work)}) AS span), 0)::float8`;
}

/** In milliseconds; what a bench stood still, ended, paused or without a worker, is not in it. 0 before the first call. */
export interface WorkTimes {
  /** Of the bench as a whole: scores that somebody had made of it after the fact are no part of it. */
  workMs: number;
  /** Of its candidates and their reviewer. */
  writingMs: number;
}

/** How long a bench has been at work so far. */
export async function readWorkTimes(db: Database, benchId: string): Promise<WorkTimes> {
  const { rows } = await sql<WorkTimes>`
    SELECT ${lengthMs('work')} AS "workMs", ${lengthMs('writing')} AS "writingMs"
      FROM (SELECT ${WORK} AS work, ${WORK} FILTER (WHERE kind IN ('generation','review')) AS writing
              FROM bench_llm_calls WHERE bench_id = ${benchId} AND kind <> 'rubric') AS calls`.execute(db);
  return rows[0] ?? { workMs: 0, writingMs: 0 };
}

/** Answers of the judge that came in the last two minutes, and how long the work on them took, in milliseconds. */
export async function readPace(db: Database, benchId: string): Promise<{ verdicts: number; overMs: number }> {
  const { rows } = await sql<{ verdicts: number; overMs: number }>`
    SELECT verdicts, ${lengthMs('work')} AS "overMs"
      FROM (SELECT count(*) FILTER (WHERE kind = 'judge' AND state = 'settled') AS verdicts, ${WORK} AS work
              FROM bench_llm_calls
             WHERE bench_id = ${benchId} AND kind IN ('judge','debate')
               AND ((state IN ('settled','failed') AND ended_at > clock_timestamp() - interval '2 minutes')
                    OR (state = 'sent' AND lease_until > clock_timestamp()))) AS calls`.execute(db);
  return rows[0] ?? { verdicts: 0, overMs: 0 };
}
