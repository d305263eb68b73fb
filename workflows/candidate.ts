import { continueAsNew, defineQuery, setHandler, startChild } from '@temporalio/workflow';
import type { BenchRef } from '../activities/activity-deps';
import type { CandidateState } from '../core/bench-states';
import { modelActivities, rowActivities } from './activity-options';
import { childId } from './child-id';
import { isBudgetExceeded } from './failure-kinds';
import { hypothesis } from './hypothesis';
import { PauseGate } from './pause-gate';
import { isHistoryFull, Window } from './window';

export interface CandidateInput extends BenchRef {
  candidateId: string;
  label: string;
  provider: string;
  reviewerProvider: string | null;
  maxTurns: number;
  isPaused: boolean;
}

export interface CandidateProgress {
  stage: 'generating' | 'duplicates' | 'reviewing' | 'ended';
}

/** Slots, or reviews, of one candidate at work side by side. */
const SIDE_BY_SIDE = 25;

/**
 * One candidate's hypotheses: slots side by side, then duplicates in slot order, then reviews. What is left to do is
 * read from rows, so it may begin again anywhere.
 */
export async function candidate(input: CandidateInput): Promise<CandidateState> {
  const gate = new PauseGate(input.isPaused);
  const ref = { benchId: input.benchId, epoch: input.epoch, candidateId: input.candidateId };
  let stage: CandidateProgress['stage'] = 'generating';
  setHandler(defineQuery<CandidateProgress>('progress'), () => ({ stage }), {
    description: 'What this candidate is at.',
  });
  const rows = rowActivities();
  await rows.markCandidate({ ...ref, state: 'generating' });
  const { toGenerate } = await rows.readOpenSlots(ref);
  await runSlots(input, gate, toGenerate, { firstTurn: 1, isNudge: false });
  stage = 'duplicates';
  const toNudge = await rows.markDuplicates({ ...ref, isFinal: false });
  await runSlots(input, gate, toNudge, { firstTurn: input.maxTurns + 1, isNudge: true });
  if (toNudge.length > 0) await rows.markDuplicates({ ...ref, isFinal: true });
  stage = 'reviewing';
  await reviewDrafts(input, gate, (await rows.readOpenSlots(ref)).toReview);
  stage = 'ended';
  return rows.closeCandidate(ref);
}

async function runSlots(
  input: CandidateInput,
  gate: PauseGate,
  hypothesisIds: string[],
  how: { firstTurn: number; isNudge: boolean },
): Promise<void> {
  const { benchId, epoch, provider, maxTurns } = input;
  const window = new Window(SIDE_BY_SIDE);
  const overBudget: string[] = [];
  const breaker = new CircuitBreaker();
  let started = 0;
  for (const hypothesisId of hypothesisIds) {
    await gate.pass();
    if (overBudget.length > 0) {
      overBudget.push(...hypothesisIds.slice(started));
      break;
    }
    if (isHistoryFull()) {
      await window.drain();
      await continueAsNew<typeof candidate>({ ...input, isPaused: gate.state });
    }
    started += 1;
    await window.start(async () => {
      const outcome = await gate.runChild(() =>
        startChild(hypothesis, {
          workflowId: childId(how.isNudge ? `${hypothesisId}/nudge` : hypothesisId),
          args: [
            {
              benchId,
              epoch,
              hypothesisId,
              provider,
              maxTurns,
              firstTurn: how.firstTurn,
              isPaused: gate.state,
            },
          ],
          staticSummary: hypothesisId,
        }),
      );
      if (outcome.kind === 'over_budget') overBudget.push(hypothesisId);
      const reason = breaker.note(outcome.kind === 'failed' ? outcome.reason : null);
      const isAnyLeft = started < hypothesisIds.length;
      if (reason && isAnyLeft) await holdCandidate(input, gate, reason);
    });
  }
  await window.drain();
  if (overBudget.length > 0 && !how.isNudge) {
    const rest = { benchId, epoch, hypothesisIds: overBudget };
    await rowActivities().endSlots({ ...rest, state: 'over_budget', kind: 'budget_exceeded' });
  }
}

/** Trips once, when the first slots to end all failed in the same way: the rest would too. */
class CircuitBreaker {
  private readonly reasons: (string | null)[] = [];

  /** @returns the reason to hold, the moment there is one */
  note(reason: string | null): string | null {
    this.reasons.push(reason);
    if (this.reasons.length !== FIRST_SLOTS || reason === null) return null;
    return this.reasons.every((other) => other === reason) ? reason : null;
  }
}

const FIRST_SLOTS = 3;

/** Nothing new begins, and nobody pays, until somebody says go on, drop or cancel. */
async function holdCandidate(input: CandidateInput, gate: PauseGate, reason: string): Promise<void> {
  const { benchId, epoch, candidateId } = input;
  await rowActivities().markHold({ benchId, epoch, candidateId, reason });
  await gate.hold();
  await rowActivities().markHold({ benchId, epoch, candidateId, reason: null });
}

async function reviewDrafts(input: CandidateInput, gate: PauseGate, hypothesisIds: string[]): Promise<void> {
  const { benchId, epoch } = input;
  const window = new Window(SIDE_BY_SIDE);
  for (const hypothesisId of hypothesisIds) {
    await gate.pass();
    if (isHistoryFull()) {
      await window.drain();
      await continueAsNew<typeof candidate>({ ...input, isPaused: gate.state });
    }
    await window.start(async () => {
      const provider = input.reviewerProvider ?? input.provider;
      try {
        await modelActivities(provider, `review ${hypothesisId}`).reviewHypothesis({
          benchId,
          epoch,
          hypothesisId,
        });
      } catch (error) {
        if (!isBudgetExceeded(error)) throw error;
        await rowActivities().skipReview({ benchId, epoch, hypothesisId, reason: 'over_budget' });
      }
    });
  }
  await window.drain();
}
