import fc from 'fast-check';
import { type EloMatch, expectedScore, replayElo } from '../../core/elo';

const fixedK = (start: number, k: number) => ({ start, earlyK: k, lateK: k, earlyMatches: 0 });

/** P beats B, S beats B, P ties S. */
const THREE: EloMatch[] = [
  { a: 'P', b: 'B', scoreA: 1 },
  { a: 'S', b: 'B', scoreA: 1 },
  { a: 'P', b: 'S', scoreA: 0.5 },
];

// From the reference sheet's check numbers (hand calculation to ten decimals).
test.each([
  [fixedK(1000, 30), { P: 1014.9720581626, B: 970.6471999915, S: 1014.3807418459 }],
  [fixedK(1200, 32), { P: 1215.9660918698, B: 1168.7363067935, S: 1215.2976013366 }],
])('P beats B, S beats B, P ties S under %j: %j', (settings, expected) => {
  const ratings = replayElo(THREE, settings);
  for (const [id, rating] of Object.entries(expected)) expect(ratings.get(id)).toBeCloseTo(rating, 9);
});

test('by default ratings start at 1200 with K 32: 1215.9660918698 for P', () => {
  expect(replayElo(THREE).get('P')).toBeCloseTo(1215.9660918698, 9);
});

test('400 points ahead means an expected score of 10/11, equality one of ½', () => {
  expect(expectedScore(1600, 1200)).toBeCloseTo(10 / 11, 15);
  expect(expectedScore(1200, 1200)).toBe(0.5);
});

describe('K', () => {
  /** How far the last of these matches moves its sides, in units of what was unexpected. */
  const lastK = (matches: EloMatch[]) => {
    const before = replayElo(matches.slice(0, -1));
    const { a, b, scoreA } = matches.at(-1)!;
    const ratingA = before.get(a) ?? 1200;
    const change = replayElo(matches).get(a)! - ratingA;
    return change / (scoreA - 1 / (1 + 10 ** (((before.get(b) ?? 1200) - ratingA) / 400)));
  };
  const meet = (a: string, b: string): EloMatch => ({ a, b, scoreA: 1 });

  test('is 32 in the fifth match of two that have met four times, 16 in the sixth', () => {
    expect(lastK(Array(5).fill(meet('a', 'b')))).toBeCloseTo(32, 9);
    expect(lastK(Array(6).fill(meet('a', 'b')))).toBeCloseTo(16, 9);
  });

  test('is 32 when one has played five matches and the other none', () => {
    expect(lastK([...Array(5).fill(meet('a', 'b')), meet('a', 'c')])).toBeCloseTo(32, 9);
  });
});

const matches = fc.array(
  fc.record({
    a: fc.constantFrom('1', '2', '3'),
    b: fc.constantFrom('4', '5', '6'),
    scoreA: fc.constantFrom(0, 0.25, 0.5, 0.75, 1),
  }),
  { minLength: 1, maxLength: 60 },
);

test('the ratings always sum to 1200 for each that played', () => {
  fc.assert(
    fc.property(matches, (played) => {
      const ratings = [...replayElo(played).values()];
      expect(ratings.reduce((sum, rating) => sum + rating, 0)).toBeCloseTo(1200 * ratings.length, 6);
    }),
  );
});

test('taking the sides of every match the other way round changes no rating', () => {
  fc.assert(
    fc.property(matches, (played) => {
      const turned = replayElo(played.map(({ a, b, scoreA }) => ({ a: b, b: a, scoreA: 1 - scoreA })));
      for (const [id, rating] of replayElo(played)) expect(turned.get(id)).toBeCloseTo(rating, 8);
    }),
  );
});

test('nobody who did not play has a rating', () => {
  expect([...replayElo(THREE).keys()]).toEqual(['P', 'B', 'S']);
  expect(replayElo([]).size).toBe(0);
});
