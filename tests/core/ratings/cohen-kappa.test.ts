import fc from 'fast-check';
import { cohenKappa } from '../../../core/ratings/cohen-kappa';

/** Pairs of a square table, rows by the one, columns by the other. */
function pairsOf(table: number[][]): [string, string][] {
  return table.flatMap((row, i) =>
    row.flatMap((count, j) => Array.from({ length: count }, (): [string, string] => [`c${i}`, `c${j}`])),
  );
}

/** κ of a table of shares, straight from its definition. */
function kappaOf(shares: number[][]): number {
  const row = (i: number) => shares[i]!.reduce((sum, share) => sum + share, 0);
  const column = (j: number) => shares.reduce((sum, one) => sum + one[j]!, 0);
  const same = shares.reduce((sum, one, i) => sum + one[i]!, 0);
  const byChance = shares.reduce((sum, _, i) => sum + row(i) * column(i), 0);
  return (same - byChance) / (1 - byChance);
}

/**
 * Its standard error by the delta method over a multinomial sample, with derivatives by central differences: what
 * Fleiss, Cohen and Everitt's equation is the closed form of.
 */
function standardError(table: number[][]): number {
  const n = table.flat().reduce((sum, count) => sum + count, 0);
  const shares = table.map((row) => row.map((count) => count / n));
  const step = 1e-5;
  const moved = (i: number, j: number, by: number) =>
    shares.map((row, k) => row.map((share, l) => (k === i && l === j ? share + by : share)));
  const cells = shares.flatMap((row, i) =>
    row.map((share, j) => ({
      share,
      slope: (kappaOf(moved(i, j, step)) - kappaOf(moved(i, j, -step))) / (2 * step),
    })),
  );
  const mean = cells.reduce((sum, { share, slope }) => sum + share * slope, 0);
  const square = cells.reduce((sum, { share, slope }) => sum + share * slope ** 2, 0);
  return Math.sqrt((square - mean ** 2) / n);
}

test('for the table 9 2 1 / 3 7 2 / 0 1 5 κ is .5408163265306122 (statsmodels 0.15.0, cohens_kappa)', () => {
  const table = [
    [9, 2, 1],
    [3, 7, 2],
    [0, 1, 5],
  ];
  expect(cohenKappa(pairsOf(table)).value!).toBeCloseTo(0.5408163265306122, 12);
});

test('the interval is 1.959964 standard errors of the delta method to both sides, for any table', () => {
  const count = fc.integer({ min: 1, max: 12 });
  const row = fc.tuple(count, count, count);
  fc.assert(
    fc.property(fc.tuple(row, row, row), (table) => {
      const { value, interval } = cohenKappa(pairsOf(table));
      const reach = 1.959963984540054 * standardError(table);
      expect(interval!.low).toBeCloseTo(Math.max(-1, value! - reach), 6);
      expect(interval!.high).toBeCloseTo(Math.min(1, value! + reach), 6);
    }),
  );
});

test('is null where both always say one and the same thing, and where there is nothing', () => {
  expect(
    cohenKappa([
      ['a', 'a'],
      ['a', 'a'],
    ]),
  ).toEqual({ value: null, interval: null });
  expect(cohenKappa([])).toEqual({ value: null, interval: null });
});

// By definition: the other's share of that one answer is then both the observed agreement and that by chance.
test('is 0 with no interval where one of the two always says the same and the other does not', () => {
  const answers = fc.array(fc.constantFrom('a', 'b', 'tie'), { minLength: 2, maxLength: 40 });
  const varied = answers.filter((said) => new Set(said).size > 1);
  fc.assert(
    fc.property(varied, fc.constantFrom('a', 'b', 'tie', 'c'), (said, constant) => {
      for (const pairs of [
        said.map((one) => [one, constant] as const),
        said.map((one) => [constant, one] as const),
      ]) {
        const { value, interval } = cohenKappa<string>(pairs);
        expect(value!).toBeCloseTo(0, 12);
        expect(interval).toBeNull();
      }
    }),
  );
});

// statsmodels 0.15.0, cohens_kappa: κ 1, std_kappa 0, which is no certainty.
test('is 1 with no interval where the two agree in all of 5 and of 50', () => {
  for (const n of [5, 50]) {
    const pairs = Array.from({ length: n }, (_, k) => [`c${k % 3}`, `c${k % 3}`] as const);
    expect(cohenKappa<string>(pairs)).toEqual({ value: 1, interval: null });
  }
});

test('does not depend on the order of the pairs, on who is called the one, or on what categories are called', () => {
  const side = fc.constantFrom('a', 'b', 'tie');
  const close = (one: number | null | undefined, other: number | null | undefined) =>
    typeof one === 'number' ? expect(one).toBeCloseTo(other!, 10) : expect(one).toBe(other);
  fc.assert(
    fc.property(fc.array(fc.tuple(side, side), { maxLength: 40 }), (pairs) => {
      const kappa = cohenKappa(pairs);
      const others = [
        cohenKappa(pairs.toReversed()),
        cohenKappa(pairs.map(([one, other]) => [other, one] as const)),
        cohenKappa(
          pairs.map(([one, other]) => [`${one}!`.replace('a', 'z'), `${other}!`.replace('a', 'z')] as const),
        ),
      ];
      for (const other of others) {
        close(kappa.value, other.value);
        close(kappa.interval?.low, other.interval?.low);
        close(kappa.interval?.high, other.interval?.high);
      }
    }),
  );
});
