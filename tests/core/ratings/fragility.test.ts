import fc from 'fast-check';
import { scoreOfA, sideAt } from '../../../core/outcome';
import { fitBradleyTerry } from '../../../core/ratings/bradley-terry';
import { fragilityOf } from '../../../core/ratings/fragility';
import { countPairs } from '../../../core/ratings/pair-counts';
import type { RatedMatch } from '../../../core/ratings/rated-match';
import { match } from './rated-matches';

const side = fc.constantFrom('a', 'b', 'tie') as fc.Arbitrary<'a' | 'b' | 'tie'>;

/** Three candidates, two matches a pair: every pair is played equally often. */
const anyRound = fc.array(fc.tuple(side, side), { minLength: 6, maxLength: 6 }).map((said) =>
  said.map((both, k) => {
    const [one, other] = [
      ['x', 'y'],
      ['x', 'z'],
      ['y', 'z'],
    ][k % 3]!;
    return match(k, `${one}/1`, `${other}/1`, both);
  }),
);

describe('fragility of the first place', () => {
  it('equals the smallest set of flips that a search through all sets finds, where pairs are equally played', () => {
    fc.assert(
      fc.property(anyRound, (matches) => {
        const found = fragilityOf(matches)!;
        // A leader who shares the first place loses it without a flip.
        fc.pre(!isLevel(matches, found.leader));
        expect(found.flips).toBe(smallestByTrial(matches, found.leader));
      }),
      { numRuns: 60 },
    );
  });

  it('is one flip of 3:1, and two of 5:1, between two candidates (by hand: level is enough)', () => {
    const matches = [match(0, 'x/1', 'y/1', ['a', 'a']), match(1, 'x/1', 'y/1', ['a', 'b'])];
    // Three to one: one flip makes it two all, level, and that is enough.
    expect(fragilityOf(matches)).toEqual({ leader: 'x', challenger: 'y', flips: 1, verdicts: 4 });
    const wider = [...matches, match(2, 'x/1', 'y/1', ['a', 'a'])];
    expect(fragilityOf(wider)).toEqual({ leader: 'x', challenger: 'y', flips: 2, verdicts: 6 });
  });

  it('has no challenger where every verdict is a tie that cannot flip', () => {
    const matches = [match(0, 'x/1', 'y/1', ['tie', 'tie']), match(1, 'y/1', 'x/1', ['tie', 'tie'])];
    expect(fragilityOf(matches)).toMatchObject({ challenger: null, flips: null, verdicts: 0 });
  });

  it('is not there for one candidate or none', () => {
    expect(fragilityOf([])).toBeNull();
  });
});

function strengths(matches: readonly RatedMatch[]) {
  const rows = matches.map(({ candA, candB, scoreA }) => ({ left: candA, right: candB, scoreLeft: scoreA! }));
  const { theta, pairs } = fitBradleyTerry(countPairs(rows));
  return new Map(pairs.items.map((item, i) => [item, theta[i]!]));
}

function isLevel(matches: readonly RatedMatch[], leader: string): boolean {
  const found = strengths(matches);
  return [...found].some(([name, theta]) => name !== leader && theta >= found.get(leader)! - 1e-9);
}

function smallestByTrial(matches: readonly RatedMatch[], leader: string): number | null {
  const verdicts = matches.flatMap((one, k) =>
    one.verdicts.flatMap(({ winner }, v) => (winner === 'tie' ? [] : [[k, v] as const])),
  );
  let smallest: number | null = null;
  for (let bits = 1; bits < 2 ** verdicts.length; bits++) {
    const chosen = verdicts.filter((_, k) => (bits & (1 << k)) !== 0);
    if (smallest !== null && chosen.length >= smallest) continue;
    const flipped = matches.map((one, k) => {
      let scoreA = 0;
      one.verdicts.forEach(({ order, winner }, v) => {
        const points = scoreOfA(sideAt(order, winner));
        scoreA += (chosen.some(([m, w]) => m === k && w === v) ? 1 - points : points) / 2;
      });
      return { ...one, scoreA };
    });
    if (isLevel(flipped, leader)) smallest = chosen.length;
  }
  return smallest;
}
