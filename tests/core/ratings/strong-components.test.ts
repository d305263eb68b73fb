import fc from 'fast-check';
import { countPairs } from '../../../core/ratings/pair-counts';
import {
  countIslands,
  countStrongComponents,
  strongComponents,
} from '../../../core/ratings/strong-components';

const anyRows = fc.array(fc.record({ i: fc.nat(7), step: fc.integer({ min: 1, max: 7 }), half: fc.nat(2) }), {
  minLength: 1,
  maxLength: 20,
});

function pairsOf(rows: { i: number; step: number; half: number }[]) {
  return countPairs(
    rows.map(({ i, step, half }) => ({ left: `${i}`, right: `${(i + step) % 8}`, scoreLeft: half / 2 })),
  );
}

describe('strong components of the win graph', () => {
  it('puts two in one component exactly when each reaches the other by wins (naive closure)', () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        const pairs = pairsOf(rows);
        const size = pairs.items.length;
        const reaches = Array.from({ length: size }, (_, i) =>
          Array.from({ length: size }, (__, j) => i === j),
        );
        pairs.low.forEach((low, k) => {
          const high = pairs.high[k]!;
          if (pairs.scoreLow[k]! > 0) reaches[high]![low] = true;
          if (pairs.scoreLow[k]! < pairs.games[k]!) reaches[low]![high] = true;
        });
        for (let k = 0; k < size; k++)
          for (let i = 0; i < size; i++)
            for (let j = 0; j < size; j++) if (reaches[i]![k] && reaches[k]![j]) reaches[i]![j] = true;
        const component = strongComponents(pairs);
        for (let i = 0; i < size; i++)
          for (let j = 0; j < size; j++)
            expect(component[i] === component[j]).toBe(reaches[i]![j]! && reaches[j]![i]!);
      }),
      { numRuns: 300 },
    );
  });

  it('finds one component in a ring of 5,000 wins, without recursion', () => {
    const ring = Array.from({ length: 5000 }, (_, i) => ({
      left: `${i}`,
      right: `${(i + 1) % 5000}`,
      scoreLeft: 1,
    }));
    expect(countStrongComponents(countPairs(ring))).toBe(1);
    expect(countStrongComponents(countPairs(ring.slice(1)))).toBe(5000);
  });

  it('counts two islands where nothing connects a, b with c, d', () => {
    const rows = [
      { left: 'a', right: 'b', scoreLeft: 1 },
      { left: 'c', right: 'd', scoreLeft: 0 },
    ];
    expect(countIslands(countPairs(rows))).toBe(2);
    expect(countIslands(countPairs([...rows, { left: 'b', right: 'c', scoreLeft: 1 }]))).toBe(1);
  });
});
