import fc from 'fast-check';
import { randomFrom } from '../../../core/random';
import { bootstrapMeanInterval, OFFICIAL_BOOTSTRAP } from '../../../core/scipivot/bootstrap';
import { compareSubjects, LEAST_CASES } from '../../../core/scipivot/compare';
import numpy from './numpy-comparison.json';

const scoresOf = (twice: string): number[] => [...twice].map((digit) => Number(digit) / 2);

test.each(numpy.rows)('$name: every difference and interval is numpy’s, to 12 decimals', (row) => {
  const { seed, resamples, level, pairs } = row;
  const subjects = row.twice_the_scores.map((twice, i) => ({ subject: String(i), scores: scoresOf(twice) }));
  const { differences } = compareSubjects(subjects, { seed, resamples, level });
  expect(differences).toHaveLength(pairs.length);
  for (const [i, pair] of pairs.entries()) {
    const found = differences[i]!;
    expect([found.a, found.b]).toEqual([String(pair.a), String(pair.b)]);
    expect(found.mean).toBeCloseTo(pair.mean, 12);
    expect(found.alone!.low).toBeCloseTo(pair.alone[0]!, 12);
    expect(found.alone!.high).toBeCloseTo(pair.alone[1]!, 12);
    expect(found.amongAll!.low).toBeCloseTo(pair.among_all[0]!, 12);
    expect(found.amongAll!.high).toBeCloseTo(pair.among_all[1]!, 12);
  }
});

const two = (one: number[], other: number[]) => [
  { subject: 'one', scores: one },
  { subject: 'other', scores: other },
];

test('two alike on all 248 cases differ by 0 ± 1.08 points at the least, and by no more than the margin of 5', () => {
  const scores = Array.from({ length: 248 }, (_, i) => (i % 3) / 2);
  const [difference] = compareSubjects(two(scores, scores), OFFICIAL_BOOTSTRAP).differences;
  // By hand: z² = 3.841, share 1.921/251.84 = .007627, error √(.007627 · .992373/251.84) = .005482; · √(248/247)
  // and Student's t of 247 degrees, 1.969615 (scipy 1.17.1).
  expect(difference!.amongAll!.high).toBeCloseTo(0.01082, 5);
  expect(difference!.amongAll!.low).toBe(-difference!.amongAll!.high);
  expect(difference!.word).toBe('no_difference');
});

test(`with ${LEAST_CASES - 1} cases there is no interval, whatever they say`, () => {
  const right = Array(LEAST_CASES - 1).fill(1);
  const wrong = Array(LEAST_CASES - 1).fill(0);
  const [difference] = compareSubjects(two(right, wrong), OFFICIAL_BOOTSTRAP).differences;
  expect(difference).toMatchObject({ mean: 1, alone: null, amongAll: null, word: 'too_few' });
});

test('a difference from one who is wrong everywhere has the single interval of the other: the resamples are the same', () => {
  const scores = Array.from({ length: 60 }, (_, i) => ((i * 7) % 3) / 2);
  const [difference] = compareSubjects(two(scores, Array(60).fill(0)), OFFICIAL_BOOTSTRAP).differences;
  expect(difference!.alone).toEqual(bootstrapMeanInterval(scores, OFFICIAL_BOOTSTRAP));
});

const FEW = { resamples: 200, seed: 1, level: 0.95 };
const scores = fc.array(fc.constantFrom(0, 0.5, 1), { minLength: 30, maxLength: 30 });

test('changing places changes every sign, in 50 comparisons', () => {
  fc.assert(
    fc.property(scores, scores, (one, other) => {
      const [forth] = compareSubjects(two(one, other), FEW).differences;
      const [back] = compareSubjects(two(other, one), FEW).differences;
      expect(back!.mean).toBeCloseTo(-forth!.mean, 12);
      expect(back!.amongAll!.low).toBeCloseTo(-forth!.amongAll!.high, 12);
      expect(back!.amongAll!.high).toBeCloseTo(-forth!.amongAll!.low, 12);
    }),
    { numRuns: 50 },
  );
});

test('with more subjects an interval among all pairs is never narrower, in 30 comparisons', () => {
  fc.assert(
    fc.property(scores, scores, scores, (one, other, third) => {
      const few = compareSubjects(two(one, other), FEW).differences[0]!.amongAll!;
      const subjects = [...two(one, other), { subject: 'third', scores: third }];
      const more = compareSubjects(subjects, FEW).differences[0]!.amongAll!;
      expect(more.high).toBeGreaterThanOrEqual(few.high - 1e-12);
      expect(more.low).toBeLessThanOrEqual(few.low + 1e-12);
    }),
    { numRuns: 30 },
  );
});

test('of 150 worlds of 4 equals on 248 cases at most 15 call any pair different: 5 % is the promise, and 15 is three errors above it', () => {
  let falselyCalled = 0;
  for (let world = 0; world < 150; world++) {
    const random = randomFrom(world, 'equals');
    const subjects = Array.from({ length: 4 }, (_, i) => ({
      subject: String(i),
      scores: Array.from({ length: 248 }, () => (random.integers(0, 2) + random.integers(0, 2)) / 2),
    }));
    const { differences } = compareSubjects(subjects, { ...OFFICIAL_BOOTSTRAP, resamples: 500 });
    if (differences.some(({ word }) => word === 'better' || word === 'worse')) falselyCalled += 1;
  }
  expect(falselyCalled).toBeLessThanOrEqual(15);
});

test('of 300 worlds of 5 equals on 20 cases at most 26 call any pair different: 5 % is the promise, and 26 is three errors above it', () => {
  let falselyCalled = 0;
  for (let world = 0; world < 300; world++) {
    const random = randomFrom(world, 'few cases');
    const subjects = Array.from({ length: 5 }, (_, i) => ({
      subject: String(i),
      scores: Array.from({ length: 20 }, () => (random.integers(0, 2) + random.integers(0, 2)) / 2),
    }));
    const { differences } = compareSubjects(subjects, { ...OFFICIAL_BOOTSTRAP, resamples: 400 });
    if (differences.some(({ word }) => word === 'better' || word === 'worse')) falselyCalled += 1;
  }
  expect(falselyCalled).toBeLessThanOrEqual(26);
});
