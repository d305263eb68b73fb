import type { BenchRatings } from '../ratings/rate-bench';

/**
 * The smallest gap in Elo that such a bench calls better in 80 % of cases.
 * @returns null where it is not known: also where no difference has an interval, for the same reasons
 */
export function smallestGapElo({ given, variances }: BenchRatings): number | null {
  if (given.differences.every(({ interval }) => interval === null)) return null;
  const gap = variances?.detectableGapElo ?? null;
  return gap !== null && Number.isFinite(gap) ? gap : null;
}
