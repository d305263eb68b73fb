import type { Database } from './database';
import type { GoldHitsTable } from './gold-tables';
import { toStorable } from './storable-text';

/** Written by the grader alone. The first grading of a hypothesis counts; a repeat changes nothing. */
export async function saveGoldHits(db: Database, hits: GoldHitsTable[]): Promise<void> {
  if (hits.length === 0) return;
  await db
    .insertInto('bench_gold_hits')
    .values(hits.map(toStorable))
    .onConflict((conflict) => conflict.columns(['hypothesis_id', 'gold_set', 'entity', 'field']).doNothing())
    .execute();
}

/** Entities hit, by candidate, each once, in the order of their names. */
export async function readGoldHitNames(
  db: Database,
  benchId: string,
  goldSet: string,
): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom('bench_gold_hits')
    .innerJoin('bench_hypotheses', 'bench_hypotheses.id', 'bench_gold_hits.hypothesis_id')
    .select(['bench_hypotheses.candidate_id', 'bench_gold_hits.entity'])
    .distinct()
    .where('bench_gold_hits.bench_id', '=', benchId)
    .where('bench_gold_hits.gold_set', '=', goldSet)
    .orderBy('bench_hypotheses.candidate_id')
    .orderBy('bench_gold_hits.entity')
    .execute();
  const names = new Map<string, string[]>();
  for (const row of rows) names.set(row.candidate_id, [...(names.get(row.candidate_id) ?? []), row.entity]);
  return names;
}
