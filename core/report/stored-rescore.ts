import { findGoldHits, type GoldSet } from '../gold-set';
import { isKept } from '../kept';
import { rescore } from './gold-rescore';
import type { GoldSetOrigin, RecordedBench, RecordedRescore } from './recorded-bench';

/** A rescore to be kept: the set, what each candidate came to, and every hit. */
export function makeRescore(
  record: Pick<RecordedBench, 'run' | 'candidates' | 'hypotheses'>,
  goldSet: GoldSet,
  origin: GoldSetOrigin,
): Omit<RecordedRescore, 'rescoredAt'> {
  return {
    goldSet,
    origin,
    candidates: rescore(record, goldSet).candidates,
    hits: record.hypotheses.flatMap((slot) =>
      slot.record && isKept(slot)
        ? findGoldHits(goldSet, slot.record).map((hit) => ({ hypothesisId: slot.id, ...hit }))
        : [],
    ),
  };
}
