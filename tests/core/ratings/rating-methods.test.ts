import fc from 'fast-check';
import { Random } from '../../../core/random';
import { DEFAULT_ROW_OPTIONS, findRatingMethod, RATING_METHODS } from '../../../core/rating-methods';
import { sigmoid } from '../../../core/ratings/elo-scale';
import type { VerdictRow } from '../../../core/ratings/rate-rows';

const bt = (rows: readonly VerdictRow[]) => findRatingMethod('bt')!.rate(rows, DEFAULT_ROW_OPTIONS);

const row = (
  left: string,
  right: string,
  winner: VerdictRow['winner'],
  more: Partial<VerdictRow> = {},
): VerdictRow => ({
  left,
  right,
  winner,
  ...more,
});

describe('the registry of rating methods', () => {
  it('has bt and elo, by those names', () => {
    expect(RATING_METHODS.map(({ name }) => name)).toEqual(['bt', 'elo']);
    expect(findRatingMethod('trueskill')).toBeNull();
  });
});

describe('sequential Elo over a file', () => {
  const rows = [row('P', 'B', 'left'), row('S', 'B', 'left'), row('P', 'S', 'tie')];

  it.each([
    [
      { k: 30, start: 1000 },
      { P: 1014.9720581626, B: 970.6471999915, S: 1014.3807418459 },
    ],
    [
      { k: 32, start: 1200 },
      { P: 1215.9660918698, B: 1168.7363067935, S: 1215.2976013366 },
    ],
  ])('with %j is %j', (options, expected) => {
    const { ratings, settings } = findRatingMethod('elo')!.rate(rows, { seed: 1, ...options });
    for (const { item, rating, low } of ratings) {
      expect(rating).toBeCloseTo(expected[item as keyof typeof expected], 9);
      expect(low).toBeNull();
    }
    expect(settings).toMatchObject({ method: 'elo', clustered: false, ...options });
  });

  it('refuses an item against itself, naming the row', () => {
    expect(() => findRatingMethod('elo')!.rate([row('P', 'P', 'left')], DEFAULT_ROW_OPTIONS)).toThrow(
      'row 0',
    );
  });
});

describe('Bradley–Terry over a file', () => {
  it("gives Wikipedia's 922.427147, 1007.366081, 927.767609, 1142.439163, best first", () => {
    const rows = [
      ...many('A', 'B', 2, 3),
      ...many('A', 'D', 1, 4),
      ...many('B', 'C', 5, 3),
      ...many('C', 'D', 1, 3),
    ];
    const { ratings, settings } = bt(rows);
    expect(ratings.map(({ item }) => item)).toEqual(['D', 'B', 'C', 'A']);
    [1142.439163, 1007.366081, 927.767609, 922.427147].forEach((rating, k) => {
      expect(ratings[k]!.rating).toBeCloseTo(rating, 6);
    });
    expect(settings).toMatchObject({ clustered: false, estimand: 'item', isConnected: true, prior: null });
  });

  it('both orders of a match in one cluster, always agreeing, widen intervals by 1.3 to 1.45 against single rows', () => {
    const random = new Random(4);
    const matches = Array.from({ length: 400 }, (_, k) => ({
      k,
      winner: random.uniform() < 0.6 ? ('left' as const) : ('right' as const),
    }));
    const twice = matches.flatMap(({ k, winner }) => [
      row('x', 'y', winner, { cluster: `${k}` }),
      row('x', 'y', winner, { cluster: `${k}` }),
    ]);
    const width = (rows: VerdictRow[]) => bt(rows).ratings[0]!.high! - bt(rows).ratings[0]!.low!;
    const ratio = width(twice) / width(twice.map(({ cluster: _, ...rest }) => rest));
    // √2 for full dependence, less the four degrees of the prior.
    expect(ratio).toBeGreaterThan(1.3);
    expect(ratio).toBeLessThan(1.45);
    expect(bt(twice).settings.clustered).toBe(true);
  });

  it('four verdicts to a match, nine matches: a 927.251 to 1150.928, b 889.204 to 1110.796 (numpy 2.4.6, scipy 1.17.1)', () => {
    const said = ['left', 'right', 'left', 'left', 'right', 'left', 'left', 'left', 'right'] as const;
    const pairs = [...Array(3).fill('ab'), ...Array(3).fill('bc'), ...Array(3).fill('ac')] as string[];
    const rows = pairs.flatMap((pair, k) =>
      [0, 1, 2, 3].map((q) => {
        const winner = (k + q) % 4 ? said[k]! : said[k] === 'left' ? 'right' : 'left';
        return row(pair[0]!, pair[1]!, winner, { cluster: `${k}` });
      }),
    );
    const [a, b] = bt(rows).ratings;
    expect([a!.low, a!.high].map((end) => end!.toFixed(6))).toEqual(['927.251238', '1150.928282']);
    expect([b!.low, b!.high].map((end) => end!.toFixed(6))).toEqual(['889.203942', '1110.796058']);
  });

  it('where a is never beaten: a 714.805 to 2254.304, b 378.397 to 1247.156 (numpy 2.4.6, scipy 1.17.1)', () => {
    const times = (count: number, one: VerdictRow) => Array.from({ length: count }, () => one);
    const rows = [
      ...times(4, row('a', 'b', 'left')),
      ...times(3, row('a', 'c', 'left')),
      ...times(2, row('b', 'c', 'left')),
      row('b', 'c', 'right'),
    ];
    const [a, b] = bt(rows).ratings;
    expect([a!.low, a!.high].map((end) => end!.toFixed(4))).toEqual(['714.8048', '2254.3038']);
    expect([b!.low, b!.high].map((end) => end!.toFixed(4))).toEqual(['378.3973', '1247.1558']);
  });

  it('covers known strengths of items in 92 to 98 % of intervals: 5 items, 100 files of 100 clustered matches', () => {
    let covered = 0;
    let intervals = 0;
    const truth = [-1, -0.5, 0, 0.5, 1];
    for (let file = 0; file < 100; file++) {
      const random = new Random(1000 + file);
      const rows = Array.from({ length: 100 }, (_, k) => {
        const i = random.integers(0, 5);
        const j = (i + random.integers(1, 5)) % 5;
        return [0, 1].map(() =>
          row(`${i}`, `${j}`, random.uniform() < sigmoid(truth[i]! - truth[j]!) ? 'left' : 'right', {
            cluster: `${k}`,
          }),
        );
      }).flat();
      for (const { item, low, high } of bt(rows).ratings) {
        const target = 1000 + (400 / Math.log(10)) * truth[Number(item)]!;
        intervals += 1;
        if (low! <= target && target <= high!) covered += 1;
      }
    }
    expect(covered / intervals).toBeGreaterThan(0.92);
    expect(covered / intervals).toBeLessThan(0.98);
  });

  it('shows no interval for four matches on an item, nor ranks', () => {
    expect(bt(many('x', 'y', 3, 1)).ratings[0]).toMatchObject({
      low: null,
      high: null,
      rankLow: null,
      rankHigh: null,
    });
    expect(bt(many('x', 'y', 3, 2)).ratings[0]!.low).not.toBeNull();
  });

  const anyRow = fc.record({
    left: fc.constantFrom('a', 'b', 'c'),
    right: fc.constantFrom('d', 'e'),
    winner: fc.constantFrom('left', 'right', 'tie') as fc.Arbitrary<VerdictRow['winner']>,
    cluster: fc.constantFrom('1', '2', '3', '4', undefined),
  }) as fc.Arbitrary<VerdictRow>;

  it('swapping the sides of every row changes no rating and no interval, relabelling moves them with their items', () => {
    const swapped = ({ left, right, winner, cluster }: VerdictRow): VerdictRow => ({
      left: right,
      right: left,
      winner: winner === 'tie' ? 'tie' : winner === 'left' ? 'right' : 'left',
      ...(cluster === undefined ? {} : { cluster }),
    });
    const renamed = ({ left, right, ...rest }: VerdictRow): VerdictRow => ({
      left: `z${9 - left.charCodeAt(0)}`,
      right: `z${9 - right.charCodeAt(0)}`,
      ...rest,
    });
    fc.assert(
      fc.property(fc.array(anyRow, { minLength: 1, maxLength: 30 }), (rows) => {
        const ratings = new Map(bt(rows).ratings.map((one) => [one.item, one]));
        for (const change of [swapped, renamed]) {
          const isRenamed = change === renamed;
          for (const { item, rating, low, high } of bt(rows.map(change)).ratings) {
            const name = isRenamed ? String.fromCharCode(9 - Number(item.slice(1))) : item;
            const before = ratings.get(name)!;
            expect(rating).toBeCloseTo(before.rating, 6);
            expect(low === null).toBe(before.low === null);
            if (low !== null) expect(high! - low).toBeCloseTo(before.high! - before.low!, 5);
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  it('reordering the rows changes no rating', () => {
    fc.assert(
      fc.property(fc.array(anyRow, { minLength: 1, maxLength: 30 }), fc.nat(), (rows, seed) => {
        const order = (rated: ReturnType<typeof bt>) =>
          rated.ratings.map(({ item, rating }) => [item, rating]);
        expect(order(bt(new Random(seed).shuffle(rows)))).toEqual(order(bt(rows)));
      }),
      { numRuns: 40 },
    );
  });
});

describe('groups in a file', () => {
  const grouped = (level: 'items' | 'groups') =>
    Array.from({ length: 24 }, (_, k) => {
      const [one, other] = [`x${k % 4}`, `y${(k + Math.floor(k / 4)) % 4}`];
      const winner = k % 3 ? ('left' as const) : ('right' as const);
      return level === 'items'
        ? row(one, other, winner, { leftGroup: 'X', rightGroup: 'Y' })
        : row('X', 'Y', winner, { leftGroup: one, rightGroup: other });
    });

  it('items within groups are rated, and the groups beside them', () => {
    const { ratings, groups, settings } = bt(grouped('items'));
    expect(ratings).toHaveLength(8);
    expect(groups!.map(({ item }) => item)).toEqual(['X', 'Y']);
    expect(settings.estimand).toBe('item');
  });

  it('groups within items make the same intervals, for the items themselves', () => {
    const { ratings, groups, settings } = bt(grouped('groups'));
    expect(groups).toBeNull();
    expect(settings.estimand).toBe('fresh_hypothesis');
    expect(ratings).toEqual(bt(grouped('items')).groups);
  });

  it('refuses groups that cross items, half-given groups, and a cluster of two pairs, naming the row', () => {
    const crossed = [
      row('a', 'b', 'left', { leftGroup: '1', rightGroup: '2' }),
      row('a', 'b', 'left', { leftGroup: '2', rightGroup: '1' }),
    ];
    expect(() => bt(crossed)).toThrow('row 1: items and groups cross');
    expect(() => bt([...grouped('items'), row('x1', 'y1', 'tie')])).toThrow('row 24: no group');
    const mixed = grouped('items').map((one) => ({ ...one, cluster: 'all' }));
    expect(() => bt(mixed)).toThrow('row 1: cluster "all" holds more than one pair');
  });
});

function many(left: string, right: string, won: number, lost: number): VerdictRow[] {
  return [
    ...Array.from({ length: won }, () => row(left, right, 'left')),
    ...Array.from({ length: lost }, () => row(left, right, 'right')),
  ];
}
