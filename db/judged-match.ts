import { BrokenInvariant } from '../core/broken-invariant';
import type { HypothesisRecord } from '../core/hypothesis';
import type { Database } from './database';
import { toRecord } from './hypotheses';
import { type MatchRow, toMatch } from './matches';

/** A match with all that a judge is shown of it. */
export interface JudgedMatch {
  match: MatchRow;
  /** The bench's epoch at this moment. */
  epoch: number;
  /** By hypothesis id. */
  sides: ReadonlyMap<string, JudgedSide>;
}

export interface JudgedSide {
  record: HypothesisRecord | null;
  /** null: there is no valid one. */
  review: Record<string, unknown> | null;
}

/** In one question, since it is asked before every verdict. @throws Error when there is no such match */
export async function readJudgedMatch(db: Database, matchId: string): Promise<JudgedMatch> {
  const rows = await db
    .selectFrom('bench_matches as m')
    .innerJoin('bench_runs as b', 'b.id', 'm.bench_id')
    .innerJoin('bench_hypotheses as h', (join) =>
      join.on((eb) => eb.or([eb('h.id', '=', eb.ref('m.hyp_a')), eb('h.id', '=', eb.ref('m.hyp_b'))])),
    )
    .leftJoin('bench_reviews as r', (join) =>
      join.onRef('r.hypothesis_id', '=', 'h.id').on('r.state', '=', 'valid'),
    )
    .selectAll('m')
    .select(['b.epoch', 'h.id as hypothesis_id', 'r.review', 'h.title', 'h.summary', 'h.full_text'])
    .select(['h.mechanism', 'h.entities', 'h.citations', 'h.falsification', 'h.content_sha256'])
    .where('m.id', '=', matchId)
    .execute();
  const [row] = rows;
  if (!row) throw new BrokenInvariant(`${matchId}: no such match`);
  return {
    match: toMatch(row),
    epoch: row.epoch,
    sides: new Map(rows.map((r) => [r.hypothesis_id, { record: toRecord(r), review: r.review }])),
  };
}
