import type { Interval } from './interval';
import { normalQuantile } from './normal';

/**
 * Wilson's score interval for a proportion (1927): never outside 0 to 1, and of width above 0 also when all or
 * none succeeded.
 * @param trials 1 or more
 * @throws RangeError for counts that are no counts, or no trial
 */
export function wilsonInterval(successes: number, trials: number, confidence = 0.95): Interval {
  if (!(trials >= 1 && successes >= 0 && successes <= trials)) {
    throw new RangeError(`wilson: ${successes} of ${trials} is no proportion`);
  }
  const z = normalQuantile((1 + confidence) / 2);
  const share = successes / trials;
  const scale = 1 + z ** 2 / trials;
  const centre = share + z ** 2 / (2 * trials);
  const reach = z * Math.sqrt((share * (1 - share)) / trials + z ** 2 / (4 * trials ** 2));
  return {
    low: successes === 0 ? 0 : (centre - reach) / scale,
    high: successes === trials ? 1 : (centre + reach) / scale,
  };
}

/** A share with its interval; both null where nothing was tried. */
export interface Proportion {
  count: number;
  of: number;
  share: number | null;
  interval: Interval | null;
}

/** With its 95 % Wilson interval; without one where there is nothing to count. */
export function proportion(count: number, of: number): Proportion {
  if (of === 0) return { count, of, share: null, interval: null };
  return { count, of, share: count / of, interval: wilsonInterval(count, of) };
}
