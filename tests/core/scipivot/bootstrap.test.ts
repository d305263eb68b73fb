import fc from 'fast-check';
import { randomFrom } from '../../../core/random';
import { bootstrapMeanInterval, OFFICIAL_BOOTSTRAP } from '../../../core/scipivot/bootstrap';
import numpy from './numpy-bootstrap.json';

const scoresOf = (twice: string) => [...twice].map((digit) => Number(digit) / 2);

describe('the bootstrap of a mean over cases', () => {
  test('gives .3 to .8 for the ten scores of the written check', () => {
    const scores = [1, 1, 0.5, 0, 0, 0.5, 1, 0, 1, 0.5];
    expect(bootstrapMeanInterval(scores, OFFICIAL_BOOTSTRAP)).toEqual({ low: 0.3, high: 0.8 });
  });

  test('gives .594758064516129 to .6774193548387096 for the 248 scores of the written check', () => {
    const scores = scoresOf('2'.repeat(100) + '1'.repeat(116) + '0'.repeat(32));
    expect(bootstrapMeanInterval(scores, OFFICIAL_BOOTSTRAP)).toEqual({
      low: 0.594758064516129,
      high: 0.6774193548387096,
    });
  });

  test('is set to 10,000 resamples, seed 20261004 and 95 % where nothing else is said', () => {
    expect(OFFICIAL_BOOTSTRAP).toEqual({ resamples: 10_000, seed: 20261004, level: 0.95 });
  });

  test('is tried against numpy 2.4.6, 107 times', () => {
    expect([numpy.numpy, numpy.rows.length]).toEqual(['2.4.6', 107]);
  });

  test.each(numpy.rows)('equals numpy 2.4.6 to the last bit: $name → $low to $high', (row) => {
    const { seed, resamples, level } = row;
    const interval = bootstrapMeanInterval(scoresOf(row.twice_the_scores), { seed, resamples, level });
    expect([interval.low, interval.high]).toEqual([row.low, row.high]);
  });

  test('draws the rows 2 0 2 2 4 / 3 3 4 0 0 / 4 4 3 1 3 / 4 1 4 4 4 of five cases first', () => {
    // numpy 2.4: default_rng(20261004).integers(0, 5, (4, 5)). With score 1 for one case alone, the four
    // resampled means tell how often it was drawn in each row; the ends of a level near 1 are their extremes.
    const rows = [
      [2, 0, 2, 2, 4],
      [3, 3, 4, 0, 0],
      [4, 4, 3, 1, 3],
      [4, 1, 4, 4, 4],
    ];
    for (const hit of [0, 1, 2, 3, 4]) {
      const scores = [0, 1, 2, 3, 4].map((i) => (i === hit ? 1 : 0));
      const means = rows.map((row) => row.filter((i) => i === hit).length / 5);
      const { low, high } = bootstrapMeanInterval(scores, { seed: 20261004, resamples: 4, level: 1 - 1e-12 });
      expect([low, high].map((end) => Number(end.toFixed(9)))).toEqual([
        Math.min(...means),
        Math.max(...means),
      ]);
    }
  });

  test('equals a naive twin on 200 random lists of scores', () => {
    const anyScores = fc.array(fc.constantFrom(0, 0.5, 1), { minLength: 1, maxLength: 40 });
    const anySettings = fc.record({
      seed: fc.nat(),
      resamples: fc.integer({ min: 1, max: 60 }),
      level: fc.constantFrom(0.5, 0.8, 0.9, 0.95, 0.99),
    });
    fc.assert(
      fc.property(anyScores, anySettings, (scores, settings) => {
        const { low, high } = bootstrapMeanInterval(scores, settings);
        const naive = naiveInterval(scores, settings);
        expect(low).toBeCloseTo(naive.low, 12);
        expect(high).toBeCloseTo(naive.high, 12);
      }),
      { numRuns: 200 },
    );
  });

  test('lies between the least and the greatest score, low below high', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(0, 0.5, 1), { minLength: 1, maxLength: 30 }), (scores) => {
        const { low, high } = bootstrapMeanInterval(scores, { seed: 1, resamples: 50, level: 0.9 });
        expect(low).toBeLessThanOrEqual(high);
        expect(low).toBeGreaterThanOrEqual(Math.min(...scores));
        expect(high).toBeLessThanOrEqual(Math.max(...scores));
      }),
    );
  });

  test.each([
    [[], {}, 'scores: none given'],
    [[1, 0.7], {}, 'scores[1]: not 0, 0.5 or 1: 0.7'],
    [[Number.NaN], {}, 'scores[0]: not 0, 0.5 or 1: NaN'],
    [[1], { resamples: 0 }, 'resamples: not an integer from 1: 0'],
    [[1], { level: 1 }, 'level: not between 0 and 1: 1'],
    [[1], { level: Number.NaN }, 'level: not between 0 and 1: NaN'],
    [[1], { seed: -1 }, 'seed: not an integer from 0: -1'],
  ])('refuses %j with %j: %s', (scores, settings, message) => {
    expect(() => bootstrapMeanInterval(scores, { ...OFFICIAL_BOOTSTRAP, ...settings })).toThrow(message);
  });
});

/** As the definition reads: resample, average, sort, interpolate. */
function naiveInterval(scores: number[], settings: { seed: number; resamples: number; level: number }) {
  const random = randomFrom(settings.seed);
  const means = Array.from({ length: settings.resamples }, () => {
    const drawn = scores.map(() => scores[random.integers(0, scores.length)]!);
    return drawn.reduce((a, b) => a + b, 0) / scores.length;
  }).sort((a, b) => a - b);
  const at = (quantile: number) => {
    const position = (means.length - 1) * quantile;
    const below = means[Math.floor(position)]!;
    const above = means[Math.ceil(position)]!;
    return below + (above - below) * (position - Math.floor(position));
  };
  return { low: at((1 - settings.level) / 2), high: at((1 + settings.level) / 2) };
}
