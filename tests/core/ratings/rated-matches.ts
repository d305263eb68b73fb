import fc from 'fast-check';
import type { RatedMatch, RatedVerdict } from '../../../core/ratings/rated-match';

/** A played match from the two orders' winners by side. */
export function match(
  index: number,
  hypA: string,
  hypB: string,
  [ab, ba]: readonly ['a' | 'b' | 'tie', 'a' | 'b' | 'tie'],
  change: Partial<RatedMatch> = {},
): RatedMatch {
  const points = { a: 1, b: 0, tie: 0.5 };
  return {
    index,
    candA: hypA.split('/')[0]!,
    candB: hypB.split('/')[0]!,
    hypA,
    hypB,
    scoreA: (points[ab] + points[ba]) / 2,
    forfeit: 'none',
    unplayedReason: null,
    verdicts: [verdict('ab', ab), verdict('ba', ba)],
    run: 'one',
    ...change,
  };
}

export function verdict(
  order: 'ab' | 'ba',
  side: 'a' | 'b' | 'tie',
  judge = 'sim:judge',
  repeat = 0,
): RatedVerdict {
  const isFirst = (side === 'a') === (order === 'ab');
  return { judge, order, winner: side === 'tie' ? 'tie' : isFirst ? 'first' : 'second', repeat };
}

const side = fc.constantFrom('a', 'b', 'tie') as fc.Arbitrary<'a' | 'b' | 'tie'>;

/** Random benches: 2 to 5 candidates with 1 to 4 hypotheses each, 1 to 40 matches between any two candidates. */
export const anyMatches: fc.Arbitrary<RatedMatch[]> = fc
  .tuple(fc.integer({ min: 2, max: 5 }), fc.integer({ min: 1, max: 4 }))
  .chain(([candidates, n]) =>
    fc
      .array(
        fc.record({
          a: fc.nat(candidates - 1),
          step: fc.integer({ min: 1, max: candidates - 1 }),
          i: fc.nat(n - 1),
          j: fc.nat(n - 1),
          ab: side,
          ba: side,
        }),
        { minLength: 1, maxLength: 40 },
      )
      .map((list) =>
        list.map(({ a, step, i, j, ab, ba }, index) =>
          match(index, `c${a}/${i}`, `c${(a + step) % candidates}/${j}`, [ab, ba]),
        ),
      ),
  );
