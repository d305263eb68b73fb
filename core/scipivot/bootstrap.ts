import { linearPercentile } from '../percentile';
import { randomFrom } from '../random';
import type { Interval } from '../ratings/interval';

export interface BootstrapSettings {
  resamples: number;
  /** Integer from 0 to 2^53 − 1. */
  seed: number;
  /** Share of the resampled means inside the interval, between 0 and 1. */
  level: number;
}

/** The setting the protocol names as the official one, with its 95 % interval. */
export const OFFICIAL_BOOTSTRAP: BootstrapSettings = { resamples: 10_000, seed: 20261004, level: 0.95 };

/**
 * The percentile interval of a mean over cases. Cases are drawn, never sessions: both orders of a case stay
 * together. Bit for bit numpy's `rng = default_rng(seed); idx = rng.integers(0, N, size=(resamples, N))`,
 * `scores[idx].mean(axis=1)` and `percentile` with its default linear rule.
 *
 * @param scores one for each case: 0, ½ or 1. Twice a score is a whole number, so every sum is exact and its
 *   order does not matter. The cases' order does: it says which case a drawn index means.
 * @throws RangeError for no scores, for any other score, or for settings out of range
 */
export function bootstrapMeanInterval(scores: readonly number[], settings: BootstrapSettings): Interval {
  const doubled = doubledScores(scores);
  checkSettings(settings);
  const n = doubled.length;
  const random = randomFrom(settings.seed);
  const means = new Float64Array(settings.resamples);
  for (let row = 0; row < settings.resamples; row++) {
    let sum = 0;
    for (let draw = 0; draw < n; draw++) sum += doubled[random.integers(0, n)]!;
    means[row] = sum / 2 / n;
  }
  means.sort();
  const [low, high] = tailPercentages(settings.level);
  return { low: linearPercentile(means, low), high: linearPercentile(means, high) };
}

/** 0.95 → 2.5 and 97.5, free of the rounding that (1 − level) / 2 · 100 would bring in. */
export function tailPercentages(level: number): [number, number] {
  const low = Number(((1 - level) * 50).toPrecision(12));
  return [low, 100 - low];
}

function doubledScores(scores: readonly number[]): Uint8Array {
  if (scores.length === 0) throw new RangeError('scores: none given, at least one case needed');
  return Uint8Array.from(scores, (score, i) => {
    if (score !== 0 && score !== 0.5 && score !== 1)
      throw new RangeError(`scores[${i}]: not 0, 0.5 or 1: ${score}`);
    return score * 2;
  });
}

function checkSettings({ resamples, level }: BootstrapSettings): void {
  if (!Number.isSafeInteger(resamples) || resamples < 1) {
    throw new RangeError(`resamples: not an integer from 1: ${resamples}`);
  }
  if (!(level > 0 && level < 1)) throw new RangeError(`level: not between 0 and 1: ${level}`);
}
