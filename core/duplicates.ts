import type { SimilarPair } from './similar-pairs';

/** A slot as far as its duplicates are concerned; slots come in slot order. */
export interface ComparedSlot {
  id: string;
  contentSha256: string | null;
  /** What was recorded at the nudge is not nudged again. */
  isNudged: boolean;
  /** The run of the bench it was written in: a fresh run may come to an idea that another has had. */
  run: number;
  /** Reviewed already: it stays, and what comes later is held against it, whatever its slot. */
  isKept: boolean;
}

export interface DuplicateDecision {
  id: string;
  /** The slot that is kept: an earlier one, or one that was kept before. */
  of: string;
  /** Nudged once already, or nudging is over: it ends as a duplicate. */
  isFinal: boolean;
}

/** At least this trigram similarity makes two drafts one idea; docs/decisions/0002-near-duplicates.md. */
export const SIMILARITY_THRESHOLD = 0.75;

/**
 * Which of a candidate's drafts repeat one that is kept. Slot order decides, never who was first; only where a slot
 * was opened again, after others were reviewed (its cap was raised), do those others come before it.
 * @param similar pairs of slot ids, earlier first, that are too alike
 */
export function findDuplicates(
  slots: readonly ComparedSlot[],
  similar: readonly SimilarPair[],
  isNudgingOver: boolean,
): DuplicateDecision[] {
  const areAlike = likeness(similar);
  const kept: ComparedSlot[] = slots.filter(({ isKept }) => isKept);
  const decisions: DuplicateDecision[] = [];
  for (const slot of slots) {
    if (slot.contentSha256 === null || slot.isKept) continue;
    const earlier = kept.find(
      (other) =>
        other.run === slot.run && (other.contentSha256 === slot.contentSha256 || areAlike(other.id, slot.id)),
    );
    if (earlier) decisions.push({ id: slot.id, of: earlier.id, isFinal: isNudgingOver || slot.isNudged });
    else kept.push(slot);
  }
  return decisions;
}

/** Whether two slots, in either order, are one of the pairs. */
function likeness(similar: readonly SimilarPair[]): (one: string, other: string) => boolean {
  const earlierOf = new Map<string, Set<string>>();
  for (const { earlierId, laterId } of similar) {
    const earlier = earlierOf.get(laterId) ?? new Set();
    earlierOf.set(laterId, earlier.add(earlierId));
  }
  return (one, other) => Boolean(earlierOf.get(one)?.has(other) || earlierOf.get(other)?.has(one));
}
