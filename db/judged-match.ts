import { sql } from 'kysely';
import { BrokenInvariant } from '../core/broken-invariant';
import type { HypothesisRecord } from '../core/hypothesis';
import { askedTogether } from './asked-together';
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

/** Together with others, since it is asked before every verdict. @throws BrokenInvariant when there is no such match */
export const readJudgedMatch: (db: Database, matchId: string) => Promise<JudgedMatch> = askedTogether(
  () => 'matches',
  async (db, ids: readonly string[]) => {
    const rows = await readSides(db, [...new Set(ids)]);
    return ids.map((id) =>
      toJudgedMatch(
        id,
        rows.filter((row) => row.id === id),
      ),
    );
  },
);

type SideRow = Awaited<ReturnType<typeof readSides>>[number];

/** Two of each match. */
async function readSides(db: Database, matchIds: string[]) {
  return db
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
    .where('m.id', '=', sql<string>`ANY (${matchIds})`)
    .execute();
}

function toJudgedMatch(id: string, rows: readonly SideRow[]): JudgedMatch | BrokenInvariant {
  const [row] = rows;
  if (!row) return new BrokenInvariant(`${id}: no such match`);
  return {
    match: toMatch(row),
    epoch: row.epoch,
    sides: new Map(rows.map((r) => [r.hypothesis_id, { record: toRecord(r), review: r.review }])),
  };
}
