import type { CandidateRating } from './candidate-ratings';
import type { RatedMatch } from './rated-match';

/**
 * The matches as the bench ran: a slot that brought no hypothesis (failed, duplicate, over budget) loses every
 * match it was scheduled for; where both sides brought none they tie. A match whose verdicts are missing stays
 * unplayed: that is the judge's failure.
 */
export function matchesAsRun(matches: readonly RatedMatch[]): RatedMatch[] {
  return matches.map((match) => {
    if (match.scoreA !== null || match.forfeit === 'none') return match;
    return { ...match, scoreA: FORFEIT_SCORE_A[match.forfeit], unplayedReason: null };
  });
}

const FORFEIT_SCORE_A = { a: 0, b: 1, both: 0.5 } as const;

/** Two candidates that the two ratings order differently: `first` leads given a hypothesis, `second` as run. */
export interface OrderChange {
  first: string;
  second: string;
}

/** A candidate by its rank, which equal ratings share; null: unrated. */
type Ranked = Pick<CandidateRating, 'candidate' | 'rank'>;

/**
 * @param given candidates by rank, given a hypothesis
 * @param asRun the same as run, in any order
 */
export function orderChanges(given: readonly Ranked[], asRun: readonly Ranked[]): OrderChange[] {
  const rankAsRun = new Map(asRun.map(({ candidate, rank }) => [candidate, rank]));
  const rated = given.filter(({ rank }) => rank !== null).map(({ candidate }) => candidate);
  const changes: OrderChange[] = [];
  for (const [i, first] of rated.entries()) {
    for (const second of rated.slice(i + 1)) {
      const ofFirst = rankAsRun.get(first) ?? null;
      const ofSecond = rankAsRun.get(second) ?? null;
      // Level as run is no other order.
      if (ofFirst !== null && ofSecond !== null && ofFirst > ofSecond) changes.push({ first, second });
    }
  }
  return changes;
}
