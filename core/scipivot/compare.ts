import { meanOf } from '../mean';
import { linearPercentile } from '../percentile';
import { randomFrom } from '../random';
import { type DifferenceWord, differenceWord } from '../ratings/difference-word';
import type { Interval } from '../ratings/interval';
import { normalBelow, normalQuantile } from '../ratings/normal';
import { studentFactor } from '../ratings/student-t';
import { type BootstrapSettings, tailPercentages } from './bootstrap';

/** Differences of up to five points of a hundred are of no interest, unless said otherwise. */
const DEFAULT_MARGIN = 0.05;

/** With fewer the resamples say too little of what other cases would have shown. */
export const LEAST_CASES = 20;

/** Who was asked, with the scores of the same cases in the same order: each 0, ½ or 1. */
export interface ScoredSubject {
  subject: string;
  scores: readonly number[];
}

/** Two subjects, case by case. Shares of 1. */
export interface Difference {
  a: string;
  b: string;
  /** mean(a) − mean(b). */
  mean: number;
  /** Of this pair looked at alone: percentiles of the resampled differences. null below `LEAST_CASES`. */
  alone: Interval | null;
  /** Wide enough that those of all pairs hold at once. null as above. */
  amongAll: Interval | null;
  /** Goes by `amongAll`. */
  word: DifferenceWord;
}

export interface Comparison {
  bootstrap: BootstrapSettings;
  margin: number;
  nCases: number;
  /** Every pair once, in the order of the subjects. */
  differences: Difference[];
}

/**
 * Compares subjects pair by pair on the same resamples of cases that `bootstrapMeanInterval` draws: how hard a case
 * is falls out of a paired difference. `amongAll` is the difference ± c standard errors, where in `level` of the
 * resamples no pair's resampled difference is further than c standard errors from its own (the largest |t| over
 * all pairs; Westfall and Young, "Resampling-based multiple testing", 1993, §2.3). Resamples know their own spread, which a
 * few cases only guess: their standard error is that of n − 1 degrees, and c is carried from the normal to Student's t.
 * Where no resample differs from another (two alike on every case, or apart by the same on every one) other cases might
 * still: a standard error is never less than that of a share of which none was seen, by Agresti and Coull (1998).
 * @throws RangeError for subjects with other numbers of scores, or with none
 */
export function compareSubjects(
  subjects: readonly ScoredSubject[],
  bootstrap: BootstrapSettings,
  margin: number = DEFAULT_MARGIN,
): Comparison {
  const nCases = subjects[0]?.scores.length ?? 0;
  if (subjects.some(({ scores }) => scores.length !== nCases) || (subjects.length > 0 && nCases === 0)) {
    throw new RangeError('compare: every subject needs a score of each of the same cases');
  }
  const means = resampledMeans(subjects, nCases, bootstrap);
  const pairs = subjects.flatMap((_, a) =>
    subjects.slice(a + 1).map((_, k) => pairOf(subjects, means, a, a + 1 + k)),
  );
  const factor = nCases < LEAST_CASES ? null : studentised(largestOfAll(pairs, means, bootstrap), nCases);
  return {
    bootstrap,
    margin,
    nCases,
    differences: pairs.map((pair) => {
      const amongAll = factor === null ? null : around(pair.mean, factor * pair.error);
      return {
        a: subjects[pair.a]!.subject,
        b: subjects[pair.b]!.subject,
        mean: pair.mean,
        alone: nCases < LEAST_CASES ? null : alone(pair, means, bootstrap.level),
        amongAll,
        word: differenceWord(amongAll, margin),
      };
    }),
  };
}

/** By subject, then by resample: the mean of its scores over the drawn cases. */
function resampledMeans(
  subjects: readonly ScoredSubject[],
  nCases: number,
  { resamples, seed }: BootstrapSettings,
): Float64Array[] {
  const means = subjects.map(() => new Float64Array(resamples));
  const doubled = subjects.map(({ scores }) => Uint8Array.from(scores, (score) => score * 2));
  const drawn = new Uint32Array(nCases);
  const random = randomFrom(seed);
  for (let row = 0; row < resamples; row++) {
    for (let draw = 0; draw < nCases; draw++) drawn[draw] = random.integers(0, nCases);
    for (const [k, scores] of doubled.entries()) {
      let sum = 0;
      for (let draw = 0; draw < nCases; draw++) sum += scores[drawn[draw]!]!;
      means[k]![row] = sum / 2 / nCases;
    }
  }
  return means;
}

interface Pair {
  /** Positions of the two subjects. */
  a: number;
  b: number;
  mean: number;
  /** The resamples' own, or the least that is believed where that is more. */
  error: number;
  isLeast: boolean;
}

function pairOf(
  subjects: readonly ScoredSubject[],
  means: readonly Float64Array[],
  a: number,
  b: number,
): Pair {
  const [one, other] = [subjects[a]!.scores, subjects[b]!.scores];
  const [seen, least] = [standardError(resampledDifferences(means, { a, b })), leastError(one.length)];
  const mean = meanOf(one)! - meanOf(other)!;
  return { a, b, mean, error: Math.max(seen, least), isLeast: seen < least };
}

/** Of a share of which none of `nCases` was seen: two are added, and two others (z² = 3.84 in all). */
function leastError(nCases: number): number {
  const z = normalQuantile(0.975);
  const share = z ** 2 / 2 / (nCases + z ** 2);
  return Math.sqrt((share * (1 - share)) / (nCases + z ** 2));
}

function alone(pair: Pair, means: readonly Float64Array[], level: number): Interval {
  if (pair.isLeast) return around(pair.mean, normalQuantile((1 + level) / 2) * pair.error);
  return percentiles(resampledDifferences(means, pair), level);
}

/** Made anew each time: those of all pairs of a large bench would fill the memory. */
function resampledDifferences(means: readonly Float64Array[], { a, b }: Pick<Pair, 'a' | 'b'>): Float64Array {
  return means[a]!.map((mean, row) => mean - means[b]![row]!);
}

/** How many standard errors hold the furthest pair in `level` of the resamples. */
function largestOfAll(
  pairs: readonly Pair[],
  means: readonly Float64Array[],
  { resamples, level }: BootstrapSettings,
): number {
  const furthest = new Float64Array(resamples);
  for (const pair of pairs) {
    for (const [row, difference] of resampledDifferences(means, pair).entries()) {
      const distance = Math.abs(difference - pair.mean) / pair.error;
      if (distance > furthest[row]!) furthest[row] = distance;
    }
  }
  return Math.max(normalQuantile((1 + level) / 2), linearPercentile(furthest.sort(), level * 100));
}

/** The reach for so many cases that leaves out what the factor leaves out of a normal, with the error's n / (n − 1). */
function studentised(factor: number, nCases: number): number {
  const degrees = nCases - 1;
  const outside = 2 * Math.max(normalBelow(-factor), Number.EPSILON);
  return studentFactor(1 - outside, degrees) * Math.sqrt(nCases / degrees);
}

function standardError(resampled: Float64Array): number {
  const mean = meanOf(resampled)!;
  const squares = resampled.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt(squares / resampled.length);
}

function percentiles(resampled: Float64Array, level: number): Interval {
  const sorted = Float64Array.from(resampled).sort();
  const [low, high] = tailPercentages(level);
  return { low: linearPercentile(sorted, low), high: linearPercentile(sorted, high) };
}

/** A difference of two shares lies between −1 and 1. */
function around(mean: number, width: number): Interval {
  return { low: Math.max(-1, mean - width), high: Math.min(1, mean + width) };
}
