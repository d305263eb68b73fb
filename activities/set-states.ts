import type { BenchState, CandidateState, HypothesisState } from '../core/bench-states';
import { reviewKey } from '../core/ids';
import { setBenchHold, setBenchState } from '../db/benches';
import { closeCandidateRow, readCandidate, setCandidateHold, setCandidateState } from '../db/candidates';
import { moveSlot, readSlots } from '../db/hypotheses';
import { reopenSlots } from '../db/resume';
import { saveReview } from '../db/reviews';
import { writeAsOwner } from '../db/write-as-owner';
import type { ActivityDeps, BenchRef } from './activity-deps';

/** Slots that still have something to do, by what it is. */
export interface OpenSlots {
  toGenerate: string[];
  toReview: string[];
}

/** The bench's state as people see it; a bench that has ended stays as it ended. */
export function createMarkBench({ db }: ActivityDeps) {
  return async function markBench(
    input: BenchRef & { state: BenchState; failure?: { kind: string; detail: string } },
  ): Promise<void> {
    const { benchId, state, failure } = input;
    await writeAsOwner(db, input, (tx) => setBenchState(tx, benchId, state, failure), 'update');
  };
}

/** The candidate's state, with the count of the hypotheses it keeps. */
export function createMarkCandidate({ db }: ActivityDeps) {
  return async function markCandidate(
    input: BenchRef & { candidateId: string; state: CandidateState; failureKind?: string },
  ): Promise<void> {
    const { candidateId, state, failureKind = null } = input;
    await writeAsOwner(db, input, (tx) => setCandidateState(tx, candidateId, state, failureKind));
  };
}

/** Ends a candidate's work, as its rows have it. */
export function createCloseCandidate({ db }: ActivityDeps) {
  return async function closeCandidate(input: BenchRef & { candidateId: string }): Promise<CandidateState> {
    return writeAsOwner(db, input, async (tx) => {
      await closeCandidateRow(tx, input.candidateId);
      return (await readCandidate(tx, input.candidateId)).state;
    });
  };
}

/** Says why a part of the bench holds by itself, or (null) that it goes on. */
export function createMarkHold({ db }: ActivityDeps) {
  return async function markHold(
    input: BenchRef & { candidateId: string | null; reason: string | null },
  ): Promise<void> {
    const { benchId, candidateId, reason } = input;
    if (candidateId === null) {
      await writeAsOwner(db, input, (tx) => setBenchHold(tx, benchId, reason), 'update');
    } else await writeAsOwner(db, input, (tx) => setCandidateHold(tx, candidateId, reason));
  };
}

/**
 * What a candidate's rows say is left to do: the workflow goes by this, so it can begin anywhere. As a candidate
 * begins, slots that a cap had closed which has been raised since are open again.
 */
export function createReadOpenSlots({ db }: ActivityDeps) {
  return async function readOpenSlots(
    input: BenchRef & { candidateId: string; isStart: boolean; upToSlot?: number },
  ): Promise<OpenSlots> {
    const slots = await writeAsOwner(db, input, async (tx) => {
      if (input.isStart) await reopenSlots(tx, input.benchId);
      return readSlots(tx, { candidateId: input.candidateId });
    });
    const idsIn = (state: HypothesisState): string[] =>
      slots
        .filter((slot) => slot.state === state && slot.k <= (input.upToSlot ?? Number.POSITIVE_INFINITY))
        .map((slot) => slot.id);
    return { toGenerate: idsIn('planned'), toReview: idsIn('draft') };
  };
}

/** Slots of a candidate whose budget is used up: those without a hypothesis end there. */
export function createEndSlots({ db }: ActivityDeps) {
  return async function endSlots(
    input: BenchRef & { hypothesisIds: string[]; state: 'over_budget' | 'failed'; kind: string },
  ): Promise<void> {
    await writeAsOwner(db, input, async (tx) => {
      for (const id of input.hypothesisIds)
        await moveSlot(tx, id, 'planned', input.state, { kind: input.kind });
    });
  };
}

/** A draft of a bench without a reviewer. */
export function createAcceptDraft({ db }: ActivityDeps) {
  return async function acceptDraft(input: BenchRef & { hypothesisId: string }): Promise<void> {
    await writeAsOwner(db, input, (tx) => moveSlot(tx, input.hypothesisId, 'draft', 'reviewed'));
  };
}

/** A draft whose review could not be paid for goes on without one. */
export function createSkipReview({ db }: ActivityDeps) {
  return async function skipReview(
    input: BenchRef & { hypothesisId: string; reason: string },
  ): Promise<void> {
    await writeAsOwner(db, input, async (tx) => {
      await saveReview(tx, {
        hypothesisId: input.hypothesisId,
        benchId: input.benchId,
        reviewer: 'none',
        callKey: reviewKey(input.hypothesisId),
        outcome: { state: 'invalid', reason: input.reason, detail: '' },
      });
      await moveSlot(tx, input.hypothesisId, 'draft', 'reviewed');
    });
  };
}
