import { benchOf } from '../ids';
import { isBetweenOwn } from '../own-matches';
import type { RecordedBench } from './recorded-bench';

/** What a night was scheduled to play, as its stored schedule has it. */
export interface NightDesign {
  /** Benches whose texts are the panel, sorted. */
  pinned: string[];
  /** Texts of the panel. */
  opponents: number;
  /** Matches of a fresh hypothesis against a text of the panel. */
  fresh: number;
  /** Matches of the panel's texts among themselves, judged again every night. */
  anchors: number;
}

/** @returns null where no match is against another bench's text: no night, its first, or nothing is scheduled yet */
export function nightDesignOf({
  hypotheses,
  matches,
}: Pick<RecordedBench, 'hypotheses' | 'matches'>): NightDesign | null {
  if (matches.every(isBetweenOwn(hypotheses))) return null;
  const own = new Set(hypotheses.map(({ id }) => id));
  const foreign = new Set(matches.flatMap(({ hypA, hypB }) => [hypA, hypB]).filter((id) => !own.has(id)));
  const anchors = matches.filter(({ hypA, hypB }) => !own.has(hypA) && !own.has(hypB)).length;
  return {
    pinned: [...new Set([...foreign].map(benchOf))].sort(),
    opponents: foreign.size,
    fresh: matches.length - anchors,
    anchors,
  };
}
