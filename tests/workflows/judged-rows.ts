import type { Database } from '../../db/database';

export type JudgedRows = Awaited<ReturnType<typeof readJudgedRows>>;

/** A bench's schedule in its order, and its verdicts. */
export async function readJudgedRows(db: Database, benchId: string) {
  const matches = await db
    .selectFrom('bench_matches')
    .select(['id', 'index', 'cand_a as candA', 'cand_b as candB', 'hyp_a as hypA', 'hyp_b as hypB'])
    .select(['state', 'reason', 'winner', 'score_a as scoreA', 'agreement', 'one_order as oneOrder'])
    .select(['repeats', 'judge_cost_usd as judgeCostUsd'])
    .where('bench_id', '=', benchId)
    .orderBy('index')
    .execute();
  const verdicts = await db
    .selectFrom('bench_verdicts as v')
    .innerJoin('bench_matches as m', 'm.id', 'v.match_id')
    .select(['v.match_id as matchId', 'v.order', 'v.judge', 'v.repeat', 'v.state', 'v.reason', 'v.detail'])
    .select(['v.winner_position as winnerPosition', 'v.call_key as callKey'])
    .where('v.bench_id', '=', benchId)
    .orderBy('m.index')
    .orderBy('v.judge')
    .orderBy('v.order')
    .orderBy('v.repeat')
    .execute();
  return { matches, verdicts };
}
