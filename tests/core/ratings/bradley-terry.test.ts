import fc from 'fast-check';
import { Random } from '../../../core/random';
import { fitBradleyTerry } from '../../../core/ratings/bradley-terry';
import { inverseCurvature } from '../../../core/ratings/curvature';
import { eloFromLogit, sigmoid } from '../../../core/ratings/elo-scale';
import { countPairs, type PairCounts } from '../../../core/ratings/pair-counts';
import { sandwichCovariance } from '../../../core/ratings/sandwich';
import type { ScoredPair } from '../../../core/ratings/scored-pair';

/** won:lost of the left one. */
function rows(left: string, right: string, won: number, lost: number): ScoredPair[] {
  return [
    ...Array.from({ length: won }, () => ({ left, right, scoreLeft: 1 })),
    ...Array.from({ length: lost }, () => ({ left, right, scoreLeft: 0 })),
  ];
}

/** Wikipedia, "Bradley–Terry model", worked example: A–B 2:3, A–D 1:4, B–C 5:3, C–D 1:3. */
const WIKIPEDIA = [
  ...rows('A', 'B', 2, 3),
  ...rows('A', 'D', 1, 4),
  ...rows('B', 'C', 5, 3),
  ...rows('C', 'D', 1, 3),
];

const scored = fc.record({
  i: fc.nat(5),
  step: fc.integer({ min: 1, max: 5 }),
  quarter: fc.nat(4),
});
const anyRows = fc.array(scored, { minLength: 1, maxLength: 60 }).map((list): ScoredPair[] =>
  list.map(({ i, step, quarter }) => ({
    left: `i${i}`,
    right: `i${(i + step) % 6}`,
    scoreLeft: quarter / 4,
  })),
);

describe('the maximum of the likelihood', () => {
  it("gives Wikipedia's strengths .639834815, 1.043314403, .659810196, 2.270376628", () => {
    const { theta, isConnected, prior, gradient } = fitBradleyTerry(countPairs(WIKIPEDIA));
    const expected = [0.639834815, 1.043314403, 0.659810196, 2.270376628];
    expected.forEach((strength, i) => {
      expect(Math.exp(theta[i]!)).toBeCloseTo(strength, 9);
    });
    expect({ isConnected, prior }).toEqual({ isConnected: true, prior: null });
    expect(gradient).toBeLessThan(1e-9);
  });

  it('puts them at 922.427147, 1007.366081, 927.767609 and 1142.439163 on the Elo scale of mean 1000', () => {
    const { theta } = fitBradleyTerry(countPairs(WIKIPEDIA));
    // More digits by mpmath 1.3.0 (findroot, 40 digits).
    const expected = [922.42714697867, 1007.366081165347, 927.767608902335, 1142.439162953648];
    expected.forEach((elo, i) => {
      expect(1000 + eloFromLogit(theta[i]!)).toBeCloseTo(elo, 9);
    });
  });

  it('is ±.419617625 and 0, up to a shift, for 0 beats 1 twice, 1 beats 2, 2 beats 0', () => {
    const pairs = [...rows('0', '1', 2, 0), ...rows('1', '2', 1, 0), ...rows('2', '0', 1, 0)];
    const { theta } = fitBradleyTerry(countPairs(pairs));
    expect(theta[0]! - theta[2]!).toBeCloseTo(0.419617625, 9);
    expect(theta[1]! - theta[2]!).toBeCloseTo(-0.419617625, 9);
  });

  it('equals mpmath 1.4.1 (findroot, 40 digits) on five items with quarter points, to 1e-12', () => {
    const table = [
      [0, 1, 7, 4.5],
      [0, 2, 5, 1.25],
      [1, 2, 9, 5.75],
      [1, 3, 4, 3],
      [2, 3, 6, 2.5],
      [2, 4, 8, 6.25],
      [3, 4, 5, 1.5],
      [0, 4, 3, 2.25],
    ] as const;
    const counts: PairCounts = {
      items: ['0', '1', '2', '3', '4'],
      low: Int32Array.from(table, ([low]) => low),
      high: Int32Array.from(table, ([, high]) => high),
      games: Float64Array.from(table, ([, , games]) => games),
      scoreLow: Float64Array.from(table, ([, , , score]) => score),
    };
    const expected = [
      0.289493306911456, 0.375144888208812, 0.211349153519411, -0.393005568658044, -0.482981779981635,
    ];
    const { theta } = fitBradleyTerry(counts);
    expected.forEach((strength, i) => {
      expect(theta[i]!).toBeCloseTo(strength, 12);
    });
  });

  it('has a gradient below 1e-9, recomputed row by row, for any rows', () => {
    fc.assert(
      fc.property(anyRows, (list) => {
        const fit = fitBradleyTerry(countPairs(list));
        const gradient = naiveGradient(list, fit.pairs.items, fit.theta, fit.prior?.weight ?? 0);
        expect(Math.max(...gradient.map(Math.abs))).toBeLessThan(1e-9);
      }),
      { numRuns: 300 },
    );
  });

  it('equals the naive minorise-maximise twin of Hunter (2004) on any connected rows', () => {
    fc.assert(
      fc.property(anyRows, (list) => {
        const fit = fitBradleyTerry(countPairs(list));
        fc.pre(fit.isConnected && fit.theta.length > 1 && Math.max(...fit.theta.map(Math.abs)) < 3);
        const twin = minoriseMaximise(list, fit.pairs.items);
        twin.forEach((theta, i) => {
          expect(fit.theta[i]!).toBeCloseTo(theta, 6);
        });
      }),
      { numRuns: 60 },
    );
  });

  it('is found from afar too: a chain of 60 items, each beating the next 999 times in 1000', () => {
    const items = Array.from({ length: 60 }, (_, i) => `i${String(i).padStart(2, '0')}`);
    const chain: PairCounts = {
      items,
      low: Int32Array.from({ length: 59 }, (_, i) => i),
      high: Int32Array.from({ length: 59 }, (_, i) => i + 1),
      games: new Float64Array(59).fill(1000),
      scoreLow: new Float64Array(59).fill(999),
    };
    const { theta, gradient } = fitBradleyTerry(chain);
    expect(gradient).toBeLessThan(1e-9);
    // Each gap is ln 999 exactly.
    for (let i = 0; i < 59; i++) expect(theta[i]! - theta[i + 1]!).toBeCloseTo(Math.log(999), 8);
  });

  it('has a gradient below 1e-9 with 200 items too, where conjugate gradients solve the steps', () => {
    const random = new Random(1);
    const list = Array.from({ length: 4000 }, (): ScoredPair => {
      const i = random.integers(0, 200);
      const j = (i + random.integers(1, 200)) % 200;
      const score = random.uniform() < sigmoid((j - i) / 80) ? 1 : 0;
      return { left: `i${i}`, right: `i${j}`, scoreLeft: random.uniform() < 0.1 ? 0.5 : score };
    });
    const fit = fitBradleyTerry(countPairs(list));
    const gradient = naiveGradient(list, fit.pairs.items, fit.theta, fit.prior?.weight ?? 0);
    expect(Math.max(...gradient.map(Math.abs))).toBeLessThan(1e-9);
    expect(fit.pairs.items).toHaveLength(200);
  });
});

describe('where there is no maximum', () => {
  it('says that 3 beats 2 beats 1 beats 0 has four components, and which prior it used', () => {
    const fit = fitBradleyTerry(
      countPairs([...rows('3', '2', 1, 0), ...rows('2', '1', 1, 0), ...rows('1', '0', 1, 0)]),
    );
    expect(fit).toMatchObject({
      isConnected: false,
      components: 4,
      prior: { kind: 'virtual_ties', weight: 0.25 },
    });
    expect(Array.from(fit.theta).every(Number.isFinite)).toBe(true);
    expect(Array.from(fit.theta)).toEqual(Array.from(fit.theta).sort((a, b) => a - b));
  });

  it('takes the prior it is given, and a weaker one leaves the strengths wider apart', () => {
    const pairs = countPairs(rows('A', 'B', 5, 0));
    const gap = (weight: number) => {
      const { theta } = fitBradleyTerry(pairs, { prior: { kind: 'virtual_ties', weight } });
      return theta[0]! - theta[1]!;
    };
    expect(gap(0.1)).toBeGreaterThan(gap(0.25));
    // 5·(1 − σ(2t)) = w·(σ(t) − ½): scipy 1.17.1, brentq.
    expect(gap(1)).toBeCloseTo(2 * 1.3781021820142667, 10);
    expect(gap(0.25)).toBeCloseTo(2 * 1.9746136137379284, 10);
  });

  it('rates nothing when there is nothing to rate', () => {
    expect(fitBradleyTerry(countPairs([])).theta).toHaveLength(0);
  });
});

describe('invariances', () => {
  it('reordering the rows changes no bit', () => {
    fc.assert(
      fc.property(anyRows, fc.integer(), (list, seed) => {
        const shuffled = new Random(Math.abs(seed)).shuffle(list);
        expect(fitBradleyTerry(countPairs(shuffled)).theta).toEqual(fitBradleyTerry(countPairs(list)).theta);
      }),
      { numRuns: 100 },
    );
  });

  it('swapping the sides changes no bit', () => {
    fc.assert(
      fc.property(anyRows, (list) => {
        const swapped = list.map(({ left, right, scoreLeft }) => ({
          left: right,
          right: left,
          scoreLeft: 1 - scoreLeft,
        }));
        expect(fitBradleyTerry(countPairs(swapped)).theta).toEqual(fitBradleyTerry(countPairs(list)).theta);
      }),
    );
  });

  it('relabelling moves the strengths with their names', () => {
    const names = ['x', 'm', 'z', 'a', 'q', 'b'];
    const renamed = (item: string) => names[Number(item.slice(1))]!;
    fc.assert(
      fc.property(anyRows, (list) => {
        const fit = fitBradleyTerry(countPairs(list));
        const other = fitBradleyTerry(
          countPairs(list.map((row) => ({ ...row, left: renamed(row.left), right: renamed(row.right) }))),
        );
        fit.pairs.items.forEach((item, i) => {
          const j = other.pairs.items.indexOf(renamed(item));
          expect(other.theta[j]!).toBeCloseTo(fit.theta[i]!, 8);
        });
      }),
    );
  });

  it('reversing every outcome reverses every strength', () => {
    fc.assert(
      fc.property(anyRows, (list) => {
        const reversed = list.map((row) => ({ ...row, scoreLeft: 1 - row.scoreLeft }));
        const fit = fitBradleyTerry(countPairs(list));
        const mirror = fitBradleyTerry(countPairs(reversed));
        fit.theta.forEach((theta, i) => {
          expect(mirror.theta[i]!).toBeCloseTo(-theta, 8);
        });
      }),
    );
  });
});

describe('the sandwich', () => {
  const fit = fitBradleyTerry(countPairs(WIKIPEDIA));
  const covariance = sandwichCovariance(fit, WIKIPEDIA);

  // mpmath 1.4.1 with 40 digits, at the exact maximum; numpy's pseudo-inverse agrees to 1e-9.
  it('gives standard errors .54434315547, .48465490572, .52817331754, .62396995637', () => {
    const expected = [0.54434315547472, 0.484654905716683, 0.52817331753521, 0.623969956370382];
    expected.forEach((error, i) => {
      expect(Math.sqrt(covariance[i * 4 + i]!)).toBeCloseTo(error, 12);
    });
  });

  it('gives .892613697524 for D − A', () => {
    const [ofA, ofD, ofBoth] = [covariance[0]!, covariance[15]!, covariance[3]!];
    expect(Math.sqrt(ofA + ofD - 2 * ofBoth)).toBeCloseTo(0.892613697523525, 12);
  });

  it('grows by √2 when every row stands twice in one cluster, against rows that stand alone', () => {
    const twice = WIKIPEDIA.flatMap((row) => [row, row]);
    const alone = sandwichCovariance(fit, twice);
    const together = sandwichCovariance(fit, twice, (row) => Math.floor(row / 2));
    for (const i of [0, 1, 2, 3]) {
      expect(Math.sqrt(together[i * 4 + i]! / alone[i * 4 + i]!)).toBeCloseTo(Math.SQRT2, 9);
    }
  });
});

describe('counting pairs', () => {
  it.each([
    [[{ left: 'a', right: 'a', scoreLeft: 1 }], 'row 0: "a" is compared with itself'],
    [
      [
        { left: 'a', right: 'b', scoreLeft: 1 },
        { left: 'a', right: 'b', scoreLeft: 1.25 },
      ],
      'row 1: score 1.25 is not 0 to 1',
    ],
    [[{ left: 'a', right: 'b', scoreLeft: Number.NaN }], 'row 0: score NaN is not 0 to 1'],
  ])('refuses %j', (list, message) => {
    expect(() => countPairs(list)).toThrow(message);
  });

  it('sums the same by map (above 1,500 items) as by table: 2,000 rows over 1,600 items', () => {
    const random = new Random(3);
    const list = Array.from({ length: 2000 }, () => {
      const i = random.integers(0, 1600);
      return { left: `i${i}`, right: `i${(i + 1) % 1600}`, scoreLeft: random.integers(0, 3) / 2 };
    });
    const { items, low, high, games, scoreLow } = countPairs(list);
    const naive = new Map<string, [number, number]>();
    for (const { left, right, scoreLeft } of list) {
      const [one, other] = left < right ? [left, right] : [right, left];
      const sum = naive.get(`${one} ${other}`) ?? [0, 0];
      naive.set(`${one} ${other}`, [sum[0] + 1, sum[1] + (left < right ? scoreLeft : 1 - scoreLeft)]);
    }
    const found = Array.from(low, (i, k) => [`${items[i]} ${items[high[k]!]}`, [games[k], scoreLow[k]]]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(naive));
  });
});

function naiveGradient(
  list: readonly ScoredPair[],
  items: readonly string[],
  theta: Float64Array,
  tieWeight: number,
): number[] {
  // The prior's zero is not the mean: the shift that settles its own gradient is found first.
  const shift = tieWeight > 0 ? priorShift(theta) : 0;
  return items.map((item, i) => {
    let sum = tieWeight * (0.5 - sigmoid(theta[i]! + shift));
    for (const { left, right, scoreLeft } of list) {
      const expected = sigmoid(theta[items.indexOf(left)]! - theta[items.indexOf(right)]!);
      if (left === item) sum += scoreLeft - expected;
      if (right === item) sum -= scoreLeft - expected;
    }
    return sum;
  });
}

describe('the inverse curvature with a prior', () => {
  it('is that of the likelihood and the prior at their maximum: A 3:0 B, A 2:0 C, B 2:1 C (numpy 2.4.6)', () => {
    const fit = fitBradleyTerry(
      countPairs([...rows('A', 'B', 3, 0), ...rows('A', 'C', 2, 0), ...rows('B', 'C', 2, 1)]),
    );
    const inverse = inverseCurvature(fit);
    const variance = (i: number, j: number) =>
      inverse[i * 3 + i]! + inverse[j * 3 + j]! - inverse[i * 3 + j]! - inverse[j * 3 + i]!;
    [2.58876944, -0.97894276, -1.60982668].forEach((theta, i) => {
      expect(fit.theta[i]!).toBeCloseTo(theta, 7);
    });
    expect(variance(0, 1)).toBeCloseTo(8.426869005172136, 7);
    expect(variance(0, 2)).toBeCloseTo(9.028473496164352, 7);
    expect(variance(1, 2)).toBeCloseTo(1.3779827634923194, 7);
  });
});

/** Rows only move points between items, so the prior's own pulls must sum to zero. */
function priorShift(theta: Float64Array): number {
  let low = -50;
  let high = 50;
  for (let step = 0; step < 200; step++) {
    const middle = (low + high) / 2;
    const pull = theta.reduce((sum, value) => sum + 0.5 - sigmoid(value + middle), 0);
    if (pull > 0) low = middle;
    else high = middle;
  }
  return low;
}

function minoriseMaximise(list: readonly ScoredPair[], items: readonly string[]): number[] {
  let strength = items.map(() => 1);
  for (let step = 0; step < 20_000; step++) {
    const next = items.map((item, i) => {
      let won = 0;
      let rate = 0;
      for (const { left, right, scoreLeft } of list) {
        if (left !== item && right !== item) continue;
        won += left === item ? scoreLeft : 1 - scoreLeft;
        const other = items.indexOf(left === item ? right : left);
        rate += 1 / (strength[i]! + strength[other]!);
      }
      return won / rate;
    });
    const mean = next.reduce((sum, value) => sum + Math.log(value), 0) / next.length;
    const scaled = next.map((value) => value / Math.exp(mean));
    const moved = Math.max(...scaled.map((value, i) => Math.abs(Math.log(value / strength[i]!))));
    strength = scaled;
    if (moved < 1e-12) break;
  }
  return strength.map(Math.log);
}
