import { compareText } from '../core/compare-text';
import type { RecordedMatch, RecordedVerdict } from '../core/report/recorded-bench';
import type { Database } from './database';

/** Every scheduled match of a bench with its verdicts, in schedule order. */
export async function readRecordedMatches(db: Database, benchId: string): Promise<RecordedMatch[]> {
  const verdicts = await readVerdicts(db, benchId);
  const rows = await db
    .selectFrom('bench_matches')
    .select(['id', 'index', 'cand_a as candA', 'cand_b as candB', 'hyp_a as hypA', 'hyp_b as hypB'])
    .select(['state', 'reason', 'winner', 'score_a as scoreA', 'agreement', 'rationale'])
    .select(['judge_cost_usd as judgeCostUsd', 'one_order as oneOrder', 'repeats'])
    .where('bench_id', '=', benchId)
    .orderBy('index')
    .execute();
  return rows.map((row) => ({ ...row, verdicts: verdicts.get(row.id) ?? [] }));
}

async function readVerdicts(db: Database, benchId: string): Promise<Map<string, RecordedVerdict[]>> {
  const rows = await db
    .selectFrom('bench_verdicts')
    .select(['match_id', 'order', 'judge', 'state', 'winner_position as winnerPosition', 'reason'])
    .select(['detail', 'rationale', 'scores', 'call_key as callKey', 'repeat'])
    .where('bench_id', '=', benchId)
    .execute();
  const byMatch = new Map<string, RecordedVerdict[]>();
  for (const { match_id: id, ...verdict } of rows) {
    const verdicts = byMatch.get(id) ?? [];
    byMatch.set(id, verdicts);
    verdicts.push(verdict);
  }
  for (const verdicts of byMatch.values()) {
    verdicts.sort(
      (one, other) =>
        compareText(one.judge, other.judge) ||
        compareText(one.order, other.order) ||
        one.repeat - other.repeat,
    );
  }
  return byMatch;
}
