import type { BenchPlan } from '../core/bench-plan';
import { candidateId, candidateScope } from '../core/ids';
import { type RatedRow, type RatedRows, ratedBenchOf } from '../core/rated-bench';
import type { RatedBench } from '../core/ratings/rate-bench';
import type { RatedVerdict } from '../core/ratings/rated-match';
import { readKindCosts, readScopeCosts } from './costs';
import type { Database } from './database';
import { readSlots } from './hypotheses';

/** What of a bench has been read already, for whoever rates it beside other things. */
export interface ReadParts {
  slots: RatedRows['slots'];
  costs: RatedRows['costs'];
}

/** A bench as the ratings take it, from its rows as they stand. */
export async function readRatedBench(
  db: Database,
  benchId: string,
  plan: BenchPlan,
  parts?: ReadParts,
): Promise<RatedBench> {
  const { slots, costs } = parts ?? {
    slots: await readSlots(db, { benchId }),
    costs: await readCandidateCosts(db, benchId, plan),
  };
  const matches = await readRatedRows(db, benchId);
  return ratedBenchOf({ benchId, plan, slots, costs, matches, spent: await readKindCosts(db, benchId) });
}

async function readCandidateCosts(
  db: Database,
  benchId: string,
  plan: BenchPlan,
): Promise<RatedRows['costs']> {
  const ids = plan.candidates.map(({ label }) => candidateId(benchId, label));
  const read = async (id: string) => [id, await readScopeCosts(db, benchId, candidateScope(id))] as const;
  return new Map(await Promise.all(ids.map(read)));
}

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
