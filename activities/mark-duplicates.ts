import { readOwnedBench } from '../db/benches';
import { moveSlot, readSlots, type Slot } from '../db/hypotheses';
import type { ActivityDeps, BenchRef } from './activity-deps';

export interface MarkDuplicatesInput extends BenchRef {
  candidateId: string;
  /** False: name the slots to nudge. True: nudging is over, what is still a duplicate ends as one. */
  isFinal: boolean;
}

/**
 * Decides a candidate's duplicates in slot order, after all its slots have recorded: a draft that says what an
 * earlier kept one says. Never across candidates.
 * @returns ids of the slots to nudge (none when final)
 */
export function createMarkDuplicates(deps: ActivityDeps) {
  return async function markDuplicates(input: MarkDuplicatesInput): Promise<string[]> {
    await readOwnedBench(deps.db, input);
    const slots = await readSlots(deps.db, { candidateId: input.candidateId });
    const kept: Slot[] = [];
    const toNudge: string[] = [];
    for (const slot of slots) {
      if (!slot.record || slot.state === 'duplicate') continue;
      const earlier = kept.find((other) => other.contentSha256 === slot.contentSha256);
      if (!earlier) kept.push(slot);
      else if (input.isFinal || slot.draftKind === 'nudged') {
        await moveSlot(deps.db, slot.id, 'draft', 'duplicate', {
          kind: 'duplicate',
          duplicateOf: earlier.id,
        });
      } else if (slot.state === 'draft') toNudge.push(slot.id);
    }
    return toNudge;
  };
}
