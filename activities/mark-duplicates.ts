import { setImmediate } from 'node:timers/promises';
import { findDuplicates, SIMILARITY_THRESHOLD } from '../core/duplicates';
import { isKept } from '../core/kept';
import { runOfSlot } from '../core/replicates';
import { type SimilarPair, similarPairs } from '../core/similar-pairs';
import { readOwnedBench } from '../db/benches';
import type { Database } from '../db/database';
import { moveSlot, readSlots, readTrigrams } from '../db/hypotheses';
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
      await findSimilar(db, input.candidateId),
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

async function findSimilar(db: Database, candidateId: string): Promise<SimilarPair[]> {
  const pairs: SimilarPair[] = [];
  for (const found of similarPairs(await readTrigrams(db, candidateId), SIMILARITY_THRESHOLD)) {
    for (const pair of found) pairs.push(pair);
    await setImmediate(); // a thousand texts take a second or more: the worker's heartbeats and leases come in between
  }
  return pairs;
}
