import { findGoldHits } from '../core/gold-set';
import { readOwnedBench } from '../db/benches';
import { saveGoldHits } from '../db/gold-hits';
import { readSlots } from '../db/hypotheses';
import { findGoldSet } from '../presets';
import type { ActivityDeps, BenchRef } from './activity-deps';

/** Holds the kept hypotheses against the answer key. Runs where the grader's role is. */
export function createScoreGoldSet({ graderDb }: ActivityDeps) {
  return async function scoreGoldSet(input: BenchRef): Promise<number> {
    if (!graderDb) throw new Error('this worker has no grader role (set DATABASE_GRADER_URL)');
    const { plan } = await readOwnedBench(graderDb, input);
    if (!plan.goldSet) return 0;
    const goldSet = findGoldSet(plan.goldSet);
    const slots = await readSlots(graderDb, { benchId: input.benchId });
    const kept = slots.filter((slot) => slot.state === 'reviewed' || slot.state === 'in_tournament');
    const hits = kept.flatMap((slot) =>
      slot.record
        ? findGoldHits(goldSet, slot.record).map((hit) => ({
            hypothesis_id: slot.id,
            gold_set: goldSet.name,
            bench_id: input.benchId,
            ...hit,
          }))
        : [],
    );
    await saveGoldHits(graderDb, hits);
    return hits.length;
  };
}
