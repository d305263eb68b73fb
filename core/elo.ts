import { logitFromElo, winProbability } from './ratings/elo-scale';

/** How a rating moves. The settings that co-scientist tournaments use are `ELO_SETTINGS`. */
export interface EloSettings {
  /** The rating before the first match. */
  start: number;
  /** K while the less experienced side has played fewer than `earlyMatches` matches. */
  earlyK: number;
  /** K from then on. */
  lateK: number;
  earlyMatches: number;
}

const ELO_SETTINGS: EloSettings = { start: 1200, earlyK: 32, lateK: 16, earlyMatches: 5 };

/** A finished match between two hypotheses. */
export interface EloMatch {
  a: string;
  b: string;
  /** From 0 to 1; a tie is ½. */
  scoreA: number;
}

/**
 * Sequential Elo: E_a = 1 / (1 + 10^((R_b − R_a) / 400)), and after a match K·(score − E) goes from one side
 * to the other, so the sum never changes. It depends on the order of the matches, hence: give them in schedule
 * order, never in that of their answers.
 *
 * @returns the rating of each id that played, in the order of first appearance
 */
export function replayElo(
  matches: Iterable<EloMatch>,
  settings: EloSettings = ELO_SETTINGS,
): Map<string, number> {
  const ratings = new Map<string, number>();
  const played = new Map<string, number>();
  for (const { a, b, scoreA } of matches) {
    const ratingA = ratings.get(a) ?? settings.start;
    const ratingB = ratings.get(b) ?? settings.start;
    const playedA = played.get(a) ?? 0;
    const playedB = played.get(b) ?? 0;
    const k = Math.min(playedA, playedB) < settings.earlyMatches ? settings.earlyK : settings.lateK;
    const change = k * (scoreA - expectedScore(ratingA, ratingB));
    ratings.set(a, ratingA + change).set(b, ratingB - change);
    played.set(a, playedA + 1).set(b, playedB + 1);
  }
  return ratings;
}

/** The score that side a is expected to reach against b: ½ between equals, 10/11 at 400 points more. */
export function expectedScore(ratingA: number, ratingB: number): number {
  return winProbability(logitFromElo(ratingA), logitFromElo(ratingB));
}
