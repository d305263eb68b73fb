import { logGamma } from './beta';

/**
 * Two-sided exact binomial test: the chance, if each trial succeeds with the given probability, of a count that
 * is no more likely than the one seen (the sum that R's `binom.test` and scipy's `binomtest` take).
 * @throws RangeError for counts that are no counts
 */
export function exactBinomialP(successes: number, trials: number, probability = 0.5): number {
  if (
    !Number.isSafeInteger(trials) ||
    !Number.isSafeInteger(successes) ||
    successes < 0 ||
    successes > trials
  ) {
    throw new RangeError(`binomial: ${successes} of ${trials} is no count`);
  }
  const seen = mass(successes, trials, probability);
  let sum = 0;
  for (let k = 0; k <= trials; k++) {
    const chance = mass(k, trials, probability);
    // Equal chances, mirrored, may differ in the last bits.
    if (chance <= seen * (1 + 1e-7)) sum += chance;
  }
  return Math.min(1, sum);
}

function mass(k: number, n: number, p: number): number {
  const ways = logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1);
  return Math.exp(ways + (k === 0 ? 0 : k * Math.log(p)) + (k === n ? 0 : (n - k) * Math.log1p(-p)));
}
