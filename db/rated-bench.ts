import type { RatedRow } from '../core/rated-bench';
import type { RatedVerdict } from '../core/ratings/rated-match';
import type { Database } from './database';

/** A bench's schedule in its order, with scores and valid verdicts. */
export async function readRatedRows(db: Database, benchId: string): Promise<RatedRow[]> {
  const verdicts = await readValidVerdicts(db, benchId);
  const rows = await db
    .selectFrom('bench_matches')
    .select(['id', 'index', 'cand_a', 'cand_b', 'hyp_a', 'hyp_b', 'score_a', 'reason', 'one_order'])
    .where('bench_id', '=', benchId)
    .orderBy('index')
    .execute();
  return rows.map((row) => ({
    index: row.index,
    candA: row.cand_a,
    candB: row.cand_b,
    hypA: row.hyp_a,
    hypB: row.hyp_b,
    scoreA: row.score_a,
    reason: row.reason,
    oneOrder: row.one_order,
    verdicts: verdicts.get(row.id) ?? [],
  }));
}

async function readValidVerdicts(db: Database, benchId: string): Promise<Map<string, RatedVerdict[]>> {
  const rows = await db
    .selectFrom('bench_verdicts')
    .select(['match_id', 'judge', 'order', 'repeat', 'winner_position'])
    .where('bench_id', '=', benchId)
    .where('state', '=', 'valid')
    .orderBy('match_id')
    .orderBy('judge')
    .orderBy('order')
    .orderBy('repeat')
    .execute();
  const byMatch = new Map<string, RatedVerdict[]>();
  for (const row of rows) {
    const { judge, order, repeat } = row;
    const verdict = { judge, order, winner: row.winner_position ?? 'tie', repeat };
    const list = byMatch.get(row.match_id);
    if (list) list.push(verdict);
    else byMatch.set(row.match_id, [verdict]);
  }
  return byMatch;
}
