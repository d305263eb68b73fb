import { compareText } from '../compare-text';
import type { RatedMatch } from './rated-match';
import { type Proportion, proportion } from './wilson';

/** How many of a candidate's scheduled matches were not played, and why. */
export interface Attrition {
  candidate: string;
  scheduled: number;
  played: number;
  /** Unplayed because its own slot brought no hypothesis. */
  ownForfeits: number;
  /** Unplayed because only the opponent's did. */
  opponentForfeits: number;
  /** Unplayed for want of a verdict, by reason. */
  missing: Record<string, number>;
}

/** One entry a candidate, by name. */
export function attritionOf(matches: readonly RatedMatch[]): Attrition[] {
  const byCandidate = new Map<string, Attrition>();
  for (const match of matches) {
    for (const [candidate, side] of [
      [match.candA, 'a'],
      [match.candB, 'b'],
    ] as const) {
      const entry = byCandidate.get(candidate) ?? emptyAttrition(candidate);
      byCandidate.set(candidate, entry);
      entry.scheduled += 1;
      if (match.scoreA !== null) entry.played += 1;
      else if (match.forfeit === side || match.forfeit === 'both') entry.ownForfeits += 1;
      else if (match.forfeit !== 'none') entry.opponentForfeits += 1;
      else {
        const reason = match.unplayedReason ?? 'unknown';
        entry.missing[reason] = (entry.missing[reason] ?? 0) + 1;
      }
    }
  }
  return [...byCandidate.values()].sort((one, other) => compareText(one.candidate, other.candidate));
}

/** Slots that brought a hypothesis, of those planned. */
export function completionRate(kept: number, planned: number): Proportion {
  return proportion(kept, planned);
}

function emptyAttrition(candidate: string): Attrition {
  return { candidate, scheduled: 0, played: 0, ownForfeits: 0, opponentForfeits: 0, missing: {} };
}
