import { findDuplicates, SIMILARITY_THRESHOLD } from '../core/duplicates';
import { isKept } from '../core/kept';
import { runOfSlot } from '../core/replicates';
import { readOwnedBench } from '../db/benches';
import { moveSlot, readSimilarPairs, readSlots } from '../db/hypotheses';
import { writeAsOwner } from '../db/write-as-owner';
import type { ActivityDeps, BenchRef } from './activity-deps';

export interface MarkDuplicatesInput extends BenchRef {
  candidateId: string;
  /** False: name the slots to nudge. True: nudging is over, what is still a duplicate ends as one. */
  isFinal: boolean;
}

/**
 * Decides a candidate's duplicates after all its slots have recorded: drafts that say what an earlier kept one says.
 * @returns ids of the slots to nudge (none when final)
 */
export function createMarkDuplicates({ db }: ActivityDeps) {
  return async function markDuplicates(input: MarkDuplicatesInput): Promise<string[]> {
    const { plan } = await readOwnedBench(db, input);
    const slots = await readSlots(db, { candidateId: input.candidateId });
    const decisions = findDuplicates(
      slots
        .filter((slot) => slot.state !== 'duplicate')
        .map(({ id, k, state, contentSha256, draftKind }) => ({
          id,
          contentSha256,
          run: runOfSlot(k, plan),
          isNudged: draftKind === 'nudged',
          isKept: isKept({ state }),
        })),
      await readSimilarPairs(db, input.candidateId, SIMILARITY_THRESHOLD),
      input.isFinal,
    );
    const waiting = decisions.filter(({ id }) => slots.find((slot) => slot.id === id)?.state === 'draft');
    await writeAsOwner(db, input, async (tx) => {
      for (const { id, of } of waiting.filter(({ isFinal }) => isFinal)) {
        await moveSlot(tx, id, 'draft', 'duplicate', { kind: 'duplicate', duplicateOf: of });
      }
    });
    return waiting.filter(({ isFinal }) => !isFinal).map(({ id }) => id);
  };
}
