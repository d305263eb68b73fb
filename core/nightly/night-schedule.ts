/** A match of a candidate's fresh hypothesis. Positions from 0, slots from 1. */
export interface NightMatch {
  candidate: number;
  slot: number;
  opponent: number;
}

export interface NightSize {
  candidates: number;
  /** Planned fresh hypotheses of each candidate. */
  slots: number;
  opponents: number;
  /** How often each candidate meets each opponent. */
  matches: number;
}

/**
 * Every candidate against every opponent × `matches`, no candidate against another. A candidate's slots play equally
 * often (±1) and one meets an opponent again only when all have met it. The same for every night. Candidates take
 * turns, so that a schedule cut short leaves them equally played (±1).
 */
export function nightSchedule({ candidates, slots, opponents, matches }: NightSize): NightMatch[] {
  // After so many steps both hands would come round to the pairings they began with: there the slots move on by one.
  const period = (opponents * slots) / greatestCommonDivisor(opponents, slots);
  return range(opponents * matches).flatMap((i) =>
    range(candidates).map((candidate) => ({
      candidate,
      slot: ((i + Math.floor(i / period)) % slots) + 1,
      opponent: i % opponents,
    })),
  );
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}
