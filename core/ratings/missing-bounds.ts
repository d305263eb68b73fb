import { scoreOfA, sideAt } from '../outcome';
import { fitBradleyTerry, sharedRanks } from './bradley-terry';
import { ratingFromLogit } from './elo-scale';
import { countPairs } from './pair-counts';
import type { RatedMatch } from './rated-match';
import type { ScoredPair } from './scored-pair';

/** What missing verdicts could have changed, at worst and at best for each candidate (bounds as Manski 1990 has them). */
export interface MissingBounds {
  candidates: CandidateBounds[];
  /** Some candidate would stand elsewhere: the ranking depends on what is missing. */
  doesRankingDepend: boolean;
}

export interface CandidateBounds {
  candidate: string;
  /** Matches unplayed for want of a verdict (not of a hypothesis). */
  missing: number;
  /** Rating (mean 1000) and rank with all of them lost; the other candidates' missing matches stay left out. */
  lost: { rating: number; rank: number };
  won: { rating: number; rank: number };
  rank: number;
}

/**
 * The good verdicts of an unplayed match are kept: only those missing are bounded. By candidate name; candidates
 * without a played match and without a missing one are left out.
 */
export function missingBounds(matches: readonly RatedMatch[]): MissingBounds {
  const ranks = ranksOf(matches.filter(isPlayed).map(asPair));
  const names = new Set(matches.filter((match) => isPlayed(match) || isMissing(match)).flatMap(sidesOf));
  const candidates = [...names].sort().map((candidate): CandidateBounds => {
    const own = matches.filter((match) => isMissing(match) && sidesOf(match).includes(candidate));
    const lost = ranksOf(completed(matches, candidate, 0)).get(candidate)!;
    const won = ranksOf(completed(matches, candidate, 1)).get(candidate)!;
    return { candidate, missing: own.length, lost, won, rank: ranks.get(candidate)?.rank ?? lost.rank };
  });
  return {
    candidates,
    doesRankingDepend: candidates.some(({ lost, won, rank }) => lost.rank !== rank || won.rank !== rank),
  };
}

function isPlayed(match: RatedMatch): boolean {
  return match.scoreA !== null;
}

function isMissing(match: RatedMatch): boolean {
  return match.scoreA === null && match.forfeit === 'none';
}

function sidesOf({ candA, candB }: RatedMatch): string[] {
  return [candA, candB];
}

function asPair({ candA, candB, scoreA }: RatedMatch): ScoredPair {
  return { left: candA, right: candB, scoreLeft: scoreA! };
}

/** The played matches and the candidate's missing ones, each missing verdict of these scored for it. */
function completed(matches: readonly RatedMatch[], candidate: string, score: 0 | 1): ScoredPair[] {
  return matches.flatMap((match) => {
    if (isPlayed(match)) return [asPair(match)];
    if (!isMissing(match) || !sidesOf(match).includes(candidate)) return [];
    const unknown = match.candA === candidate ? score : 1 - score;
    return [{ left: match.candA, right: match.candB, scoreLeft: meanOverOrders(match, unknown) }];
  });
}

/** Side A's score of the match, each verdict that is missing counted as the unknown score. */
function meanOverOrders({ verdicts, asked }: RatedMatch, unknown: number): number {
  const counted = verdicts.filter(({ repeat }) => repeat === 0);
  const judges = new Set(counted.map(({ judge }) => judge));
  const expected = asked ? asked.judges * asked.orders : Math.max(2, 2 * judges.size);
  const points = counted.reduce((sum, { order, winner }) => sum + scoreOfA(sideAt(order, winner)), 0);
  return (points + (expected - counted.length) * unknown) / expected;
}

function ranksOf(pairs: readonly ScoredPair[]): Map<string, { rating: number; rank: number }> {
  const fit = fitBradleyTerry(countPairs(pairs));
  const ranks = sharedRanks(fit);
  return new Map(
    fit.pairs.items.map((item, i) => [item, { rating: ratingFromLogit(fit.theta[i]!), rank: ranks[i]! }]),
  );
}
