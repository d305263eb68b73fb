import { sql } from 'kysely';
import type { Database } from './database';

/** Something of a bench that did not go as it should, and was not scored. */
export interface FailureLine {
  what: 'bench' | 'call' | 'slot' | 'review' | 'verdict' | 'match' | 'tool';
  /** The call's key, or the row's id. */
  place: string;
  kind: string;
  detail: string | null;
  attempt: number | null;
  httpStatus: number | null;
  requestId: string | null;
}

/** `m2` comes before `m11`. */
const BY_NUMBER = new Intl.Collator('en', { numeric: true });

/** Every failure of a bench: what it failed for itself, then calls, slots, tools, reviews, verdicts, matches, by place. */
export async function readFailures(db: Database, benchId: string): Promise<FailureLine[]> {
  const { rows } = await sql<FailureLine & { rank: number }>`
    SELECT 0 AS rank, 'bench' AS what, id AS place, failure_kind AS kind, failure_detail AS detail,
           NULL::integer AS attempt, NULL::integer AS "httpStatus", NULL AS "requestId"
      FROM bench_runs WHERE id = ${benchId} AND failure_kind IS NOT NULL
    UNION ALL
    SELECT 1, 'call', key, coalesce(failure_kind, state), state, attempt, http_status, request_id
      FROM bench_llm_calls WHERE bench_id = ${benchId} AND state IN ('failed', 'in_doubt', 'superseded')
    UNION ALL
    SELECT 2, 'slot', id, coalesce(failure_kind, state), failure_detail, NULL, NULL, NULL
      FROM bench_hypotheses WHERE bench_id = ${benchId} AND state IN ('failed', 'duplicate', 'over_budget')
    UNION ALL
    SELECT 3, 'tool', hypothesis_id || '/turn/' || turn || '/tool/' || index, coalesce(failure_kind, outcome), tool,
           NULL, NULL, NULL
      FROM bench_tool_calls WHERE bench_id = ${benchId} AND outcome IN ('failed', 'refused')
    UNION ALL
    SELECT 4, 'review', call_key, reason, detail, NULL, NULL, NULL
      FROM bench_reviews WHERE bench_id = ${benchId} AND state = 'invalid'
    UNION ALL
    SELECT 5, 'verdict', call_key, reason, detail, NULL, NULL, NULL
      FROM bench_verdicts WHERE bench_id = ${benchId} AND state = 'invalid'
    UNION ALL
    SELECT 6, 'match', id, reason, NULL, NULL, NULL, NULL
      FROM bench_matches WHERE bench_id = ${benchId} AND state = 'unplayed'
    ORDER BY rank, place, attempt`.execute(db);
  return rows
    .toSorted((one, other) => one.rank - other.rank || BY_NUMBER.compare(one.place, other.place))
    .map(({ rank: _, ...line }) => line);
}
