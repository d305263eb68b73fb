/** A slot as far as its duplicates are concerned; slots come in slot order. */
export interface ComparedSlot {
  id: string;
  contentSha256: string | null;
  /** What was recorded at the nudge is not nudged again. */
  isNudged: boolean;
}

export interface DuplicateDecision {
  id: string;
  /** The earlier slot that is kept. */
  of: string;
  /** Nudged once already, or nudging is over: it ends as a duplicate. */
  isFinal: boolean;
}

/** At least this trigram similarity makes two drafts one idea; docs/decisions/0002-near-duplicates.md. */
export const SIMILARITY_THRESHOLD = 0.75;

/**
 * Which of a candidate's drafts repeat an earlier one that is kept. Slot order decides, never who was first.
 * @param similar pairs of slot ids, earlier first, that are too alike
 */
export function findDuplicates(
  slots: readonly ComparedSlot[],
  similar: readonly { earlierId: string; laterId: string }[],
  isNudgingOver: boolean,
): DuplicateDecision[] {
  const kept: ComparedSlot[] = [];
  const decisions: DuplicateDecision[] = [];
  for (const slot of slots) {
    if (slot.contentSha256 === null) continue;
    const earlier = kept.find(
      (other) =>
        other.contentSha256 === slot.contentSha256 ||
        similar.some((pair) => pair.earlierId === other.id && pair.laterId === slot.id),
    );
    if (earlier) decisions.push({ id: slot.id, of: earlier.id, isFinal: isNudgingOver || slot.isNudged });
    else kept.push(slot);
  }
  return decisions;
}
