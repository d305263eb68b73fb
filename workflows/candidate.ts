import { continueAsNew, defineQuery, setHandler, startChild } from '@temporalio/workflow';
import type { BenchRef } from '../activities/activity-deps';
import type { CandidateState } from '../core/bench-states';
import { modelActivities, rowActivities } from './activity-options';
import { childId } from './child-id';
import { isBudgetExceeded } from './failure-kinds';
import { type HypothesisOutcome, hypothesis } from './hypothesis';
import { PauseGate } from './pause-gate';
import { isHistoryFull, Window } from './window';

export interface CandidateInput extends BenchRef {
  candidateId: string;
  label: string;
  provider: string;
  reviewerProvider: string | null;
  maxTurns: number;
  heartbeatMs: number;
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
  const { toGenerate } = await rows.readOpenSlots({ ...ref, isStart: true });
  await runSlots(input, gate, toGenerate, { firstTurn: 1, isNudge: false });
  await gate.pass();
  stage = 'duplicates';
  const toNudge = await rows.markDuplicates({ ...ref, isFinal: false });
  await runSlots(input, gate, toNudge, { firstTurn: input.maxTurns + 1, isNudge: true });
  if (toNudge.length > 0) await rows.markDuplicates({ ...ref, isFinal: true });
  stage = 'reviewing';
  await reviewDrafts(input, gate, (await rows.readOpenSlots({ ...ref, isStart: false })).toReview);
  stage = 'ended';
  return rows.closeCandidate(ref);
}

async function runSlots(
  input: CandidateInput,
  gate: PauseGate,
  hypothesisIds: string[],
  how: { firstTurn: number; isNudge: boolean },
): Promise<void> {
  const { benchId, epoch } = input;
  const overBudget: string[] = [];
  const breaker = new CircuitBreaker();
  let started = 0;
  await Window.open(SIDE_BY_SIDE, async (window) => {
    for (const hypothesisId of hypothesisIds) {
      await gate.pass();
      if (overBudget.length > 0) {
        overBudget.push(...hypothesisIds.slice(started));
        break;
      }
      await startAnewIfFull(input, gate, window);
      started += 1;
      await window.start(async () => {
        const outcome = await runSlot(input, gate, hypothesisId, how);
        if (outcome.kind === 'over_budget') overBudget.push(hypothesisId);
        const reason = breaker.note(outcome.kind === 'failed' ? outcome.reason : null);
        const isAnyLeft = started < hypothesisIds.length;
        if (reason && isAnyLeft) await holdCandidate(input, gate, reason);
      });
    }
  });
  if (overBudget.length > 0 && !how.isNudge) {
    const rest = { benchId, epoch, hypothesisIds: overBudget };
    await rowActivities().endSlots({ ...rest, state: 'over_budget', kind: 'budget_exceeded' });
  }
}

async function runSlot(
  { benchId, epoch, provider, maxTurns, heartbeatMs }: CandidateInput,
  gate: PauseGate,
  hypothesisId: string,
  { firstTurn, isNudge }: { firstTurn: number; isNudge: boolean },
): Promise<HypothesisOutcome> {
  return gate.runChild(() =>
    startChild(hypothesis, {
      workflowId: childId(isNudge ? `${hypothesisId}/nudge` : hypothesisId),
      args: [
        { benchId, epoch, hypothesisId, provider, maxTurns, heartbeatMs, firstTurn, isPaused: gate.state },
      ],
      staticSummary: hypothesisId,
    }),
  );
}

async function startAnewIfFull(input: CandidateInput, gate: PauseGate, window: Window): Promise<void> {
  if (!isHistoryFull()) return;
  await window.drain();
  await continueAsNew<typeof candidate>({ ...input, isPaused: gate.state });
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
  await Window.open(SIDE_BY_SIDE, async (window) => {
    for (const hypothesisId of hypothesisIds) {
      await startAnewIfFull(input, gate, window);
      await window.start(async () => {
        await gate.pass();
        await reviewDraft(input, hypothesisId);
      });
    }
  });
}

async function reviewDraft(input: CandidateInput, hypothesisId: string): Promise<void> {
  const { benchId, epoch, heartbeatMs, reviewerProvider } = input;
  if (reviewerProvider === null) {
    await rowActivities().acceptDraft({ benchId, epoch, hypothesisId });
    return;
  }
  const reviewer = modelActivities(reviewerProvider, heartbeatMs, `review ${hypothesisId}`);
  try {
    await reviewer.reviewHypothesis({ benchId, epoch, hypothesisId });
  } catch (error) {
    if (!isBudgetExceeded(error)) throw error;
    await rowActivities().skipReview({ benchId, epoch, hypothesisId, reason: 'over_budget' });
  }
}
