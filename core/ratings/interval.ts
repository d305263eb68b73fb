import type { CandidateFit, Contrast } from './candidate-fit';
import { studentFactor } from './student-t';
import { studentizedRangeQuantile } from './studentized-range';

/** Both ends in the unit of the estimate. */
export interface Interval {
  low: number;
  high: number;
}

export const CONFIDENCE = 0.95;

/** What an interval is made from. */
type Estimate = Pick<Contrast, 'estimate' | 'standardError' | 'degrees'>;

/** Estimate ± Student's t times the standard error: right for one quantity looked at alone. */
export function singleInterval(contrast: Estimate): Interval {
  return around(contrast, studentFactor(CONFIDENCE, atLeastOne(contrast.degrees)));
}

/**
 * Of a difference between two of so many candidates, wide enough that all pairwise intervals of the bench hold
 * at once in 95 % of benches: the largest |t| over all pairs (Tukey 1953; for unequal variances Games and Howell 1976).
 */
export function intervalAmongPairs(contrast: Contrast, candidates: number): Interval {
  const range = rangeAt(candidates, atLeastOne(contrast.degrees));
  return around(contrast, range / Math.SQRT2);
}

/** Of one of so many quantities declared beforehand, all of which hold at once in 95 % of benches (Šidák 1967). */
export function intervalAmong(contrast: Contrast, quantities: number): Interval {
  return around(contrast, studentFactor(CONFIDENCE ** (1 / quantities), atLeastOne(contrast.degrees)));
}

/** Why there is no interval. */
export type TooFew =
  /** One hypothesis in play: how much hypotheses of a candidate differ cannot be seen. */
  | 'one_hypothesis'
  /** Fewer than `LEAST_MATCHES` played matches. */
  | 'few_matches'
  | 'no_match'
  /** No chain of played matches leads from some candidates to the others. */
  | 'not_compared';

/** Below this the intervals' coverage was not shown, or their width was no better than a guess. */
export const LEAST_MATCHES = 5;

/** Why a candidate (by number) has no interval; null when it has one. */
export function whyNoInterval(fit: CandidateFit, candidate: number): TooFew | null {
  if (fit.design.islands > 1) return 'not_compared';
  if (fit.design.hypothesisCount[candidate]! < 2) return 'one_hypothesis';
  return fit.design.matchCount[candidate]! < LEAST_MATCHES ? 'few_matches' : null;
}

function around({ estimate, standardError }: Estimate, factor: number): Interval {
  return { low: estimate - factor * standardError, high: estimate + factor * standardError };
}

/** Fewer would make intervals of no use; more than a thousand are as good as infinitely many. */
function atLeastOne(degrees: number): number {
  return Math.max(1, Math.min(1000, degrees));
}

/**
 * The quantile between two remembered ones: by a straight line, which lies above the curve and so on the safe side.
 * Continuous, since degrees that differ by rounding alone must not give another interval.
 */
function rangeAt(groups: number, degrees: number): number {
  const step = degrees < 5 ? 0.1 : degrees < 20 ? 0.25 : degrees < 60 ? 1 : 20;
  const place = Math.floor(degrees / step);
  const share = degrees / step - place;
  const below = rangeQuantile(groups, place * step);
  return below + share * (rangeQuantile(groups, (place + 1) * step) - below);
}

/** A quantile costs some milliseconds, and a bench asks for the same few again and again. */
const rangeQuantiles = new Map<string, number>();

function rangeQuantile(groups: number, degrees: number): number {
  const key = `${groups}/${degrees}`;
  let quantile = rangeQuantiles.get(key);
  if (quantile === undefined) {
    quantile = studentizedRangeQuantile(CONFIDENCE, groups, degrees);
    rangeQuantiles.set(key, quantile);
  }
  return quantile;
}
