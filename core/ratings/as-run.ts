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

/**
 * @param given candidates by rank, given a hypothesis
 * @param asRun candidates by rank, as run
 */
export function orderChanges(given: readonly string[], asRun: readonly string[]): OrderChange[] {
  const placeAsRun = new Map(asRun.map((candidate, place) => [candidate, place]));
  const changes: OrderChange[] = [];
  for (const [i, first] of given.entries()) {
    for (const second of given.slice(i + 1)) {
      const placeOfFirst = placeAsRun.get(first);
      const placeOfSecond = placeAsRun.get(second);
      if (placeOfFirst === undefined || placeOfSecond === undefined) continue;
      if (placeOfFirst > placeOfSecond) changes.push({ first, second });
    }
  }
  return changes;
}
