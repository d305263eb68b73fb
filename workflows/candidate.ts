import { continueAsNew, defineQuery, setHandler, startChild, workflowInfo } from '@temporalio/workflow';
import type { BenchRef } from '../activities/activity-deps';
import { modelActivities, rowActivities } from './activity-options';
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
export async function candidate(input: CandidateInput): Promise<void> {
  const gate = new PauseGate(input.isPaused);
  const ref = { benchId: input.benchId, epoch: input.epoch, candidateId: input.candidateId };
  let stage: CandidateProgress['stage'] = 'generating';
  setHandler(defineQuery<CandidateProgress>('progress'), () => ({ stage }), {
    description: 'What this candidate is at.',
  });
  const rows = rowActivities();
  await rows.markCandidate({ ...ref, state: 'generating' });
  const { toGenerate } = await rows.readOpenSlots(ref);
  const isOverBudget = await runSlots(input, gate, toGenerate, { firstTurn: 1, isNudge: false });
  stage = 'duplicates';
  const toNudge = await rows.markDuplicates({ ...ref, isFinal: false });
  await runSlots(input, gate, toNudge, { firstTurn: input.maxTurns + 1, isNudge: true });
  if (toNudge.length > 0) await rows.markDuplicates({ ...ref, isFinal: true });
  stage = 'reviewing';
  await reviewDrafts(input, gate, (await rows.readOpenSlots(ref)).toReview);
  await rows.markCandidate({ ...ref, state: isOverBudget ? 'over_budget' : 'ready' });
  stage = 'ended';
}

/** @returns whether the candidate's budget was used up */
async function runSlots(
  input: CandidateInput,
  gate: PauseGate,
  hypothesisIds: string[],
  how: { firstTurn: number; isNudge: boolean },
): Promise<boolean> {
  const { benchId, epoch, provider, maxTurns } = input;
  const window = new Window(SIDE_BY_SIDE);
  const overBudget: string[] = [];
  for (const [i, hypothesisId] of hypothesisIds.entries()) {
    await gate.pass();
    if (overBudget.length > 0) {
      overBudget.push(...hypothesisIds.slice(i));
      break;
    }
    if (isHistoryFull()) {
      await window.drain();
      await continueAsNew<typeof candidate>({ ...input, isPaused: gate.state });
    }
    await window.start(async () => {
      const outcome = await gate.runChild(() =>
        startChild(hypothesis, {
          workflowId: childId(hypothesisId, how.isNudge),
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
      if (outcome === 'over_budget') overBudget.push(hypothesisId);
    });
  }
  await window.drain();
  if (overBudget.length > 0 && !how.isNudge) {
    const rest = { benchId, epoch, hypothesisIds: overBudget };
    await rowActivities().endSlots({ ...rest, state: 'over_budget', kind: 'budget_exceeded' });
  }
  return overBudget.length > 0;
}

/** Ends in the parent's run id: a reset parent starts children of its own. */
function childId(id: string, isNudge: boolean): string {
  return `${id}${isNudge ? '/nudge' : ''}-${workflowInfo().runId.slice(0, 8)}`;
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
