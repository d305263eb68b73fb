import fc from 'fast-check';
import { Random } from '../../../core/random';
import { nightlyEvidence, nightlyVerdict, signEvidence } from '../../../core/ratings/nightly-evidence';

const nightsOf = (seed: number, count: number, shift: (night: number) => number) => {
  const random = new Random(seed);
  return Array.from({ length: count }, (_, night) => random.normal() + shift(night));
};

describe('evidence from independent even trials', () => {
  it.each([
    [9, 10, 9.309],
    [14, 15, 136.53],
    [60, 100, 0.913],
  ])('%d of %d is %d', (wins, trials, expected) => {
    expect(signEvidence(wins, trials) / expected).toBeCloseTo(1, 3);
  });

  it.each([
    [9, 10, 1024 / (11 * 10)],
    [14, 15, 32768 / (16 * 15)],
    [3, 5, 32 / (6 * 10)],
  ])('%d of %d is 2ⁿ over (n + 1)·C(n, k), %d, to 1e-9', (wins, trials, expected) => {
    expect(signEvidence(wins, trials)).toBeCloseTo(expected, 9);
  });

  it('averages 1 over all outcomes of 30 even trials: no bet wins in the mean', () => {
    let mean = 0;
    let ways = 1;
    for (let wins = 0; wins <= 30; wins++) {
      mean += (ways / 2 ** 30) * signEvidence(wins, 30);
      ways = (ways * (30 - wins)) / (wins + 1);
    }
    expect(mean).toBeCloseTo(1, 9);
  });
});

describe('nightly evidence', () => {
  it('is 1 before the first night, and after two nights what its formula says (by hand, both starts)', () => {
    expect(nightlyEvidence([], 1)).toEqual({
      nights: 0,
      drop: 1,
      gain: 1,
      highestDrop: 1,
      highestGain: 1,
      attainable: 1,
    });
    // Nights of place ½/1 and ½/2: e₁ = ½·√2, e₂ = 1; ½·e₁·e₂ + ⅙·e₂ + ⅓ unstarted.
    expect(nightlyEvidence([0.5, 0.4], 1).attainable).toBeCloseTo(0.5 * Math.SQRT1_2 + 1 / 6 + 1 / 3, 12);
  });

  it('is positive, and the same for any scores of the same order', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: -999, max: 999 }), { minLength: 1, maxLength: 30 }),
        (scores) => {
          const { drop, gain, attainable } = nightlyEvidence(scores, 3);
          expect(Math.min(drop, gain, attainable)).toBeGreaterThan(0);
          // The draw splits the place of the night itself, so only its order, not its value, counts.
          const cubed = nightlyEvidence(
            scores.map((score) => score ** 3),
            3,
          );
          expect([cubed.drop, cubed.gain]).toEqual([drop, gain]);
        },
      ),
    );
  });

  it('of 120 unchanged candidates over 200 nights, at most 5 % ever reach 20 in one direction', () => {
    let alarms = 0;
    for (let seed = 0; seed < 120; seed++) {
      const scores = nightsOf(seed, 200, () => 0);
      if (everReaches(scores, seed, 20)) alarms += 1;
    }
    expect(alarms / 120).toBeLessThanOrEqual(0.05);
  });

  it('finds a drop of two standard deviations at night 60 within 30 nights, in the median of 40', () => {
    const delays = Array.from({ length: 40 }, (_, seed) => {
      const scores = nightsOf(1000 + seed, 160, (night) => (night >= 60 ? -2 : 0));
      for (let nights = 61; nights <= 160; nights++) {
        if (nightlyEvidence(scores.slice(0, nights), seed).drop >= 160) return nights - 60;
      }
      return 100;
    }).sort((a, b) => a - b);
    expect(delays[20]!).toBeLessThanOrEqual(30);
  });
});

describe('the verdict of a night', () => {
  const rule = { alpha: 0.05, candidates: 8 };
  const quiet = { nights: 100, drop: 1, gain: 1, highestDrop: 1, highestGain: 1, attainable: 1e9 };
  const calm = { nights: 100, value: 1, highest: 19 };

  it.each([
    [{ ...quiet, highestDrop: 320 }, null, 'regressed'],
    [{ ...quiet, highestGain: 320 }, null, 'improved'],
    [{ ...quiet, highestDrop: 319 }, null, 'no_change'],
    [{ ...quiet, nights: 3, attainable: 2 }, null, 'underpowered'],
    [{ ...quiet, highestDrop: 320 }, { ...calm, highest: 20 }, 'judge_drift'],
    [quiet, { ...calm, highest: 20 }, 'judge_drift'],
    [{ ...quiet, highestDrop: 320 }, calm, 'regressed'],
    [{ ...quiet, highestDrop: 320 }, { ...calm, value: 3 }, 'underpowered'],
    [quiet, { ...calm, value: 3 }, 'no_change'],
  ] as const)(
    'of %j with judge %j is %s: thresholds 8 candidates × 2 directions / .05 = 320, and 1 / .05 = 20',
    (evidence, judge, verdict) => {
      expect(nightlyVerdict(evidence, judge, rule)).toBe(verdict);
    },
  );
});

/** Drop evidence alone, at the end of every fortieth night: enough to see an excess. */
function everReaches(scores: readonly number[], seed: number, threshold: number): boolean {
  for (let nights = 40; nights <= scores.length; nights += 40) {
    if (nightlyEvidence(scores.slice(0, nights), seed).drop >= threshold) return true;
  }
  return false;
}
