import { matchesAsRun, orderChanges } from '../../../core/ratings/as-run';
import { rateCandidates } from '../../../core/ratings/candidate-ratings';
import type { RatedMatch } from '../../../core/ratings/rated-match';
import { match } from './rated-matches';

const unplayed = (index: number, change: Partial<RatedMatch>): RatedMatch => ({
  ...match(index, 'x/2', 'y/2', ['a', 'a']),
  scoreA: null,
  unplayedReason: 'no_hypothesis',
  verdicts: [],
  ...change,
});

const ranked = (list: readonly RatedMatch[]) => rateCandidates(list, { seed: 1, draws: 1 }).candidates;

describe('the rating as run', () => {
  it('scores 0, 1 and ½ for a failed slot of A, of B and of both, and leaves a missing verdict unplayed', () => {
    const matches = [
      unplayed(0, { forfeit: 'a' }),
      unplayed(1, { forfeit: 'b' }),
      unplayed(2, { forfeit: 'both' }),
      unplayed(3, { forfeit: 'none', unplayedReason: 'refused' }),
    ];
    expect(matchesAsRun(matches).map(({ scoreA }) => scoreA)).toEqual([0, 1, 0.5, null]);
  });

  it('puts a good but failing candidate second: x wins 3 of 4 played, and fails in 6 more', () => {
    const matches = [
      ...[0, 1, 2].map((k) => match(k, 'x/1', 'y/1', ['a', 'a'])),
      match(3, 'x/1', 'y/1', ['b', 'b']),
      ...Array.from({ length: 6 }, (_, k) => unplayed(4 + k, { forfeit: 'a' })),
    ];
    const given = ranked(matches);
    const asRun = ranked(matchesAsRun(matches));
    expect(given.map(({ candidate }) => candidate)).toEqual(['x', 'y']);
    expect(asRun.map(({ candidate }) => candidate)).toEqual(['y', 'x']);
    expect(orderChanges(given, asRun)).toEqual([{ first: 'x', second: 'y' }]);
  });

  it('has no order change where both ratings agree', () => {
    const same = ['a', 'b', 'c'].map((candidate, i) => ({ candidate, rank: i + 1 }));
    expect(orderChanges(same, same)).toEqual([]);
  });

  // By hand: y wins 3 of 4 played and loses the 2 it failed in, 3 of 6; by name x would come first of the two.
  it('puts nobody above another who is level as run: y leads given a hypothesis, and as run both have 3 of 6', () => {
    const matches = [
      ...[0, 1, 2].map((k) => match(k, 'x/1', 'y/1', ['b', 'b'])),
      match(3, 'x/1', 'y/1', ['a', 'a']),
      ...[4, 5].map((k) => unplayed(k, { forfeit: 'b' })),
    ];
    const asRun = ranked(matchesAsRun(matches));
    expect(asRun.map(({ candidate, rank }) => [candidate, rank])).toEqual([
      ['x', 1],
      ['y', 1],
    ]);
    expect(ranked(matches)[0]!.candidate).toBe('y');
    expect(orderChanges(ranked(matches), asRun)).toEqual([]);
  });
});
