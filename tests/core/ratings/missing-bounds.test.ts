import fc from 'fast-check';
import { attritionOf, completionRate } from '../../../core/ratings/attrition';
import { fitBradleyTerry } from '../../../core/ratings/bradley-terry';
import { missingBounds } from '../../../core/ratings/missing-bounds';
import { countPairs } from '../../../core/ratings/pair-counts';
import type { RatedMatch } from '../../../core/ratings/rated-match';
import { anyMatches, match, verdict } from './rated-matches';

const missing = (
  index: number,
  hypA: string,
  hypB: string,
  change: Partial<RatedMatch> = {},
): RatedMatch => ({
  ...match(index, hypA, hypB, ['a', 'a']),
  scoreA: null,
  unplayedReason: 'truncated',
  verdicts: [],
  ...change,
});

describe('bounds on what is missing', () => {
  const played = [
    match(0, 'a/1', 'b/1', ['a', 'a']),
    match(1, 'a/1', 'b/1', ['a', 'b']),
    match(2, 'b/1', 'c/1', ['a', 'b']),
    match(3, 'b/1', 'c/1', ['a', 'a']),
    match(4, 'a/1', 'c/1', ['a', 'a']),
    match(5, 'a/1', 'c/1', ['b', 'b']),
  ];

  it('keep the 3 good verdicts of a panel of 2: with the fourth lost the match is at ¾, as it would be by two orders', () => {
    const asked = { judges: 2, orders: 2 } as const;
    const verdicts = [verdict('ab', 'a', 'p:one'), verdict('ba', 'a', 'p:one'), verdict('ab', 'a', 'p:two')];
    const lost = (matches: RatedMatch[]) =>
      missingBounds(matches).candidates.find(({ candidate }) => candidate === 'a')!.lost.rating;
    const ofPanel = lost([...played, missing(6, 'a/1', 'b/1', { asked, verdicts })]);
    const asThough = fitBradleyTerry(
      countPairs([
        ...played.map(({ candA, candB, scoreA }) => ({ left: candA, right: candB, scoreLeft: scoreA! })),
        { left: 'a', right: 'b', scoreLeft: 0.75 },
      ]),
    );
    const theta = asThough.theta[asThough.pairs.items.indexOf('a')]!;
    expect(ofPanel).toBeCloseTo(1000 + (400 / Math.LN10) * theta, 6);
    // One order asked and none there: the whole match is unknown.
    const one = { judges: 1, orders: 1 } as const;
    expect(lost([...played, missing(6, 'a/1', 'b/1', { asked: one })])).toBeLessThan(ofPanel);
  });

  it('are the rating itself, and no warning, where nothing is missing', () => {
    const bounds = missingBounds(played);
    expect(bounds.doesRankingDepend).toBe(false);
    for (const { missing: count, lost, won } of bounds.candidates) {
      expect(count).toBe(0);
      expect(lost).toEqual(won);
    }
  });

  it('warn where three missing matches, all lost, would cost the first place', () => {
    const bounds = missingBounds([...played, ...[6, 7, 8].map((index) => missing(index, 'a/1', 'c/1'))]);
    expect(bounds.doesRankingDepend).toBe(true);
    expect(bounds.candidates.find(({ candidate }) => candidate === 'a')).toMatchObject({
      missing: 3,
      rank: 1,
      won: { rank: 1 },
    });
    expect(bounds.candidates.find(({ candidate }) => candidate === 'a')!.lost.rank).toBeGreaterThan(1);
  });

  // By hand: all points are halves, so the three share rank 1; who loses the one that is missing has two above.
  it('have equal candidates share a rank, as the leaderboard does: three level, one match missing, ranks 1 to 3', () => {
    const level = [
      match(0, 'a/1', 'b/1', ['a', 'b']),
      match(1, 'a/1', 'c/1', ['a', 'b']),
      match(2, 'b/1', 'c/1', ['b', 'a']),
      missing(3, 'a/1', 'b/1'),
    ];
    const { candidates } = missingBounds(level);
    expect(candidates.map(({ candidate, rank }) => [candidate, rank])).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 1],
    ]);
    expect(candidates.map(({ lost, won }) => [won.rank, lost.rank])).toEqual([
      [1, 3],
      [1, 3],
      [1, 1],
    ]);
  });

  it('keep the one good verdict: only half a match is unknown', () => {
    const half = missing(6, 'a/1', 'b/1', { verdicts: [verdict('ab', 'a')] });
    const none = missing(6, 'a/1', 'b/1');
    const lost = (one: RatedMatch) => missingBounds([...played, one]).candidates[0]!.lost.rating;
    const naive = (scoreLeft: number) => {
      const rows = played.map(({ candA, candB, scoreA }) => ({
        left: candA,
        right: candB,
        scoreLeft: scoreA!,
      }));
      const { theta } = fitBradleyTerry(countPairs([...rows, { left: 'a', right: 'b', scoreLeft }]));
      return 1000 + (400 / Math.log(10)) * theta[0]!;
    };
    expect(lost(half)).toBeCloseTo(naive(0.5), 8);
    expect(lost(none)).toBeCloseTo(naive(0), 8);
  });

  it('hold the rating between them: lost ≤ won for every candidate', () => {
    fc.assert(
      fc.property(anyMatches, fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }), (matches, kept) => {
        const some = matches.map((one, k) => (kept[k] ? one : { ...one, scoreA: null, verdicts: [] }));
        for (const { lost, won } of missingBounds(some).candidates) {
          expect(lost.rating).toBeLessThanOrEqual(won.rating + 1e-6);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('leave out what failed for want of a hypothesis', () => {
    const bounds = missingBounds([
      ...played,
      missing(6, 'a/2', 'b/1', { forfeit: 'a', unplayedReason: 'no_hypothesis' }),
    ]);
    expect(bounds.candidates[0]!.missing).toBe(0);
  });
});

describe('attrition', () => {
  it('is counted by candidate and kind', () => {
    const matches = [
      match(0, 'a/1', 'b/1', ['a', 'a']),
      missing(1, 'a/2', 'b/1', { forfeit: 'a', unplayedReason: 'no_hypothesis' }),
      missing(2, 'a/1', 'b/1', { unplayedReason: 'refused' }),
      missing(3, 'a/1', 'b/1', { unplayedReason: 'refused' }),
    ];
    expect(attritionOf(matches)).toEqual([
      {
        candidate: 'a',
        scheduled: 4,
        played: 1,
        ownForfeits: 1,
        opponentForfeits: 0,
        missing: { refused: 2 },
      },
      {
        candidate: 'b',
        scheduled: 4,
        played: 1,
        ownForfeits: 0,
        opponentForfeits: 1,
        missing: { refused: 2 },
      },
    ]);
  });

  it('gives a completion rate with its Wilson interval: 9 of 10, .596 to .982', () => {
    const rate = completionRate(9, 10);
    expect(rate.interval!.low).toBeCloseTo(0.59584997, 8);
    expect(completionRate(0, 0).share).toBeNull();
  });
});
