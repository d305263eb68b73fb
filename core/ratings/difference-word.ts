import type { Interval } from './interval';

/** What may be said of a difference. "Underpowered" is a result of its own, not "no difference". */
export type DifferenceWord =
  | 'better'
  | 'worse'
  /** The whole interval lies within the margin. */
  | 'no_difference'
  /** The interval holds both 0 and values beyond the margin. */
  | 'underpowered'
  /** There is no interval to judge by. */
  | 'too_few'
  /** The judge names a place, not a hypothesis. */
  | 'uninformative_judge';

/** Differences up to this many Elo points are of no interest, unless said otherwise. */
export const DEFAULT_MARGIN_ELO = 50;

/** @param interval of the difference in Elo, a simultaneous one; null when there is none */
export function differenceWord(
  interval: Interval | null,
  marginElo: number = DEFAULT_MARGIN_ELO,
): DifferenceWord {
  if (interval === null) return 'too_few';
  if (interval.low > 0) return 'better';
  if (interval.high < 0) return 'worse';
  return interval.low >= -marginElo && interval.high <= marginElo ? 'no_difference' : 'underpowered';
}
