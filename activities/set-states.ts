import type { BenchState, CandidateState, HypothesisState } from '../core/bench-states';
import { reviewKey } from '../core/ids';
import { readOwnedBench, setBenchHold, setBenchState } from '../db/benches';
import { closeCandidateRow, readCandidate, setCandidateHold, setCandidateState } from '../db/candidates';
import { moveSlot, readSlots } from '../db/hypotheses';
import { reopenSlots } from '../db/resume';
import { saveReview } from '../db/reviews';
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
    await readOwnedBench(db, input);
    await setBenchState(db, input.benchId, input.state, input.failure);
  };
}

/** The candidate's state, with the count of the hypotheses it keeps. */
export function createMarkCandidate({ db }: ActivityDeps) {
  return async function markCandidate(
    input: BenchRef & { candidateId: string; state: CandidateState; failureKind?: string },
  ): Promise<void> {
    await readOwnedBench(db, input);
    await setCandidateState(db, input.candidateId, input.state, input.failureKind ?? null);
  };
}

/** Ends a candidate's work, as its rows have it. */
export function createCloseCandidate({ db }: ActivityDeps) {
  return async function closeCandidate(input: BenchRef & { candidateId: string }): Promise<CandidateState> {
    await readOwnedBench(db, input);
    await closeCandidateRow(db, input.candidateId);
    return (await readCandidate(db, input.candidateId)).state;
  };
}

/** Says why a part of the bench holds by itself, or (null) that it goes on. */
export function createMarkHold({ db }: ActivityDeps) {
  return async function markHold(
    input: BenchRef & { candidateId: string | null; reason: string | null },
  ): Promise<void> {
    await readOwnedBench(db, input);
    if (input.candidateId === null) await setBenchHold(db, input.benchId, input.reason);
    else await setCandidateHold(db, input.candidateId, input.reason);
  };
}

/**
 * What a candidate's rows say is left to do: the workflow goes by this, so it can begin anywhere. As a candidate
 * begins, slots that a cap had closed which has been raised since are open again.
 */
export function createReadOpenSlots({ db }: ActivityDeps) {
  return async function readOpenSlots(
    input: BenchRef & { candidateId: string; isStart: boolean },
  ): Promise<OpenSlots> {
    await readOwnedBench(db, input);
    if (input.isStart) await reopenSlots(db, input.benchId);
    const slots = await readSlots(db, { candidateId: input.candidateId });
    const idsIn = (state: HypothesisState): string[] =>
      slots.filter((slot) => slot.state === state).map((slot) => slot.id);
    return { toGenerate: idsIn('planned'), toReview: idsIn('draft') };
  };
}

/** Slots of a candidate whose budget is used up: those without a hypothesis end there. */
export function createEndSlots({ db }: ActivityDeps) {
  return async function endSlots(
    input: BenchRef & { hypothesisIds: string[]; state: 'over_budget' | 'failed'; kind: string },
  ): Promise<void> {
    await readOwnedBench(db, input);
    for (const id of input.hypothesisIds)
      await moveSlot(db, id, 'planned', input.state, { kind: input.kind });
  };
}

/** A draft of a bench without a reviewer. */
export function createAcceptDraft({ db }: ActivityDeps) {
  return async function acceptDraft(input: BenchRef & { hypothesisId: string }): Promise<void> {
    await readOwnedBench(db, input);
    await moveSlot(db, input.hypothesisId, 'draft', 'reviewed');
  };
}

/** A draft whose review could not be paid for goes on without one. */
export function createSkipReview({ db }: ActivityDeps) {
  return async function skipReview(
    input: BenchRef & { hypothesisId: string; reason: string },
  ): Promise<void> {
    await readOwnedBench(db, input);
    await saveReview(db, {
      hypothesisId: input.hypothesisId,
      benchId: input.benchId,
      reviewer: 'none',
      callKey: reviewKey(input.hypothesisId),
      outcome: { state: 'invalid', reason: input.reason, detail: '' },
    });
    await moveSlot(db, input.hypothesisId, 'draft', 'reviewed');
  };
}
