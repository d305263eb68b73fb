import { meanOf } from '../mean';
import type { AnchorScores } from './judge-evidence';

/** Share of its planned matches that a candidate must have played for its night to count. */
export const LEAST_PLAYED = 0.5;
/** The same of the anchors: one that is missing shifts the mean of the others. */
const LEAST_ANCHORS = 0.8;

/**
 * A candidate's night: the mean score of what it played, a missing match left out of both sums.
 * @param scores of all its planned matches, from 0 to 1; null: unplayed
 * @returns null where too little was played
 */
export function candidateScore(scores: readonly (number | null)[]): number | null {
  return meanOfPlayed(scores, LEAST_PLAYED);
}

/** An anchor of one night; sides are positions among the pinned candidates. */
export interface PlayedAnchor {
  a: number;
  b: number;
  /** null: unplayed. */
  scoreA: number | null;
}

/** @returns null where too few were played, or there are none */
export function anchorScores(anchors: readonly PlayedAnchor[], sides: number): AnchorScores | null {
  const favourites = meanOfPlayed(
    anchors.map(({ scoreA }) => scoreA),
    LEAST_ANCHORS,
  );
  if (favourites === null) return null;
  const bySide = Array.from({ length: sides }, (): (number | null)[] => []);
  for (const { a, b, scoreA } of anchors) {
    // A candidate's two texts against each other say nothing of how it does.
    if (a === b) continue;
    bySide[a]?.push(scoreA);
    bySide[b]?.push(scoreA === null ? null : 1 - scoreA);
  }
  return { favourites, sides: bySide.map((scores) => meanOfPlayed(scores, LEAST_ANCHORS)) };
}

function meanOfPlayed(scores: readonly (number | null)[], least: number): number | null {
  const played = scores.filter((score) => score !== null);
  return played.length < least * scores.length ? null : meanOf(played);
}
