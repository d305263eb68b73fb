import { cohenKappa, type Kappa } from '../ratings/cohen-kappa';
import type { Interval } from '../ratings/interval';
import { type Proportion, proportion } from '../ratings/wilson';
import { type BlindItem, type BlindSample, CLOSENESS, type Closeness, type Shown } from './blind-sample';

/** How far a person and the judge say the same of a blind sample. Intervals are 95 %. */
export interface HumanAgreement {
  /** Matches the person has judged, and those of the sample. */
  judged: number;
  of: number;
  /** The same of left, right and tie. */
  same: Proportion;
  /** Of the matches in which both name a side, those with the same side. */
  sameSide: Proportion;
  /** Over left, right and tie, in the sample: a third of it are matches that the judge flipped on, if there were. */
  kappa: Kappa;
  byCloseness: { closeness: Closeness; available: number; same: Proportion }[];
  /** `same` as over all played matches of the bench; null where a kind it has was not judged. */
  weighted: { share: number; interval: Interval } | null;
}

/** @param answers what the person said, by item; items without an answer are no answer, and count nowhere */
export function humanAgreement(
  { items, available }: BlindSample,
  answers: ReadonlyMap<number, Shown>,
): HumanAgreement {
  const judged = items.filter(({ item }) => answers.has(item));
  const isSame = ({ item, judge }: BlindItem) => answers.get(item) === judge;
  const decided = judged.filter(({ item, judge }) => judge !== 'tie' && answers.get(item) !== 'tie');
  const share = (some: BlindItem[]) => proportion(some.filter(isSame).length, some.length);
  const byCloseness = CLOSENESS.map((closeness) => ({
    closeness,
    available: available[closeness],
    same: share(judged.filter((item) => item.closeness === closeness)),
  }));
  return {
    judged: judged.length,
    of: items.length,
    same: share(judged),
    sameSide: share(decided),
    kappa: cohenKappa(judged.map(({ item, judge }) => [judge, answers.get(item)!] as const)),
    byCloseness,
    weighted: weightedShare(byCloseness),
  };
}

/**
 * A mean of shares, each weighing as much as the bench has such matches; its interval from theirs by variance
 * estimates recovery (MOVER: Zou and Donner 2008, eq. 4, for a weighted sum).
 */
function weightedShare(kinds: HumanAgreement['byCloseness']): HumanAgreement['weighted'] {
  const present = kinds.filter(({ available }) => available > 0);
  const total = present.reduce((sum, { available }) => sum + available, 0);
  if (total === 0) return null;
  let share = 0;
  let below = 0;
  let above = 0;
  for (const { available, same } of present) {
    if (same.share === null || same.interval === null) return null;
    const weight = available / total;
    share += weight * same.share;
    below += (weight * (same.share - same.interval.low)) ** 2;
    above += (weight * (same.interval.high - same.share)) ** 2;
  }
  return { share, interval: { low: share - Math.sqrt(below), high: share + Math.sqrt(above) } };
}
