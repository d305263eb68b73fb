import { continueAsNew, defineQuery, setCurrentDetails, setHandler, startChild } from '@temporalio/workflow';
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
  /** Of a bench with replicates: the last slot of the run that it is at. */
  upToSlot?: number;
  isPaused: boolean;
  /** Whether its first slots have shown what they are worth, in a run before this one. */
  isProven?: boolean;
  /** Number of the last slot that was nudged in a run before this one. */
  nudgedThrough?: number;
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
  const ofRun = input.upToSlot === undefined ? ref : { ...ref, upToSlot: input.upToSlot };
  const { toGenerate } = await rows.readOpenSlots({ ...ofRun, isStart: true });
  const breaker = new CircuitBreaker(input, gate, input.isProven ?? false);
  const desk: Desk = { input, gate, breaker, nudgedThrough: input.nudgedThrough ?? 0 };
  await runSlots(desk, toGenerate, { firstTurn: 1, isNudge: false });
  await gate.pass();
  stage = 'duplicates';
  await nudgeDuplicates(desk);
  stage = 'reviewing';
  await reviewDrafts(desk, (await rows.readOpenSlots({ ...ofRun, isStart: false })).toReview);
  stage = 'ended';
  return rows.closeCandidate(ref);
}

interface Desk {
  input: CandidateInput;
  gate: PauseGate;
  breaker: CircuitBreaker;
  /** Number of the last slot that was nudged; 0: none yet. */
  nudgedThrough: number;
}

async function nudgeDuplicates(desk: Desk): Promise<void> {
  const { benchId, epoch, candidateId, maxTurns } = desk.input;
  const ref = { benchId, epoch, candidateId };
  const rows = rowActivities();
  const duplicates = await rows.markDuplicates({ ...ref, isFinal: false });
  // A nudge that failed leaves its slot among the duplicates: each is nudged once, however often this begins anew.
  const toNudge = duplicates.filter((id) => slotNumber(id) > desk.nudgedThrough);
  await runSlots(desk, toNudge, { firstTurn: maxTurns + 1, isNudge: true });
  if (duplicates.length > 0) await rows.markDuplicates({ ...ref, isFinal: true });
}

/** The k of `<candidate>/<k>`. */
function slotNumber(hypothesisId: string): number {
  return Number(hypothesisId.slice(hypothesisId.lastIndexOf('/') + 1));
}

interface How {
  firstTurn: number;
  isNudge: boolean;
}

async function runSlots(desk: Desk, hypothesisIds: string[], how: How): Promise<void> {
  const { benchId, epoch } = desk.input;
  const overBudget: string[] = [];
  let started = 0;
  await Window.open(SIDE_BY_SIDE, async (window) => {
    for (const hypothesisId of hypothesisIds) {
      await desk.gate.pass();
      if (overBudget.length > 0) {
        overBudget.push(...hypothesisIds.slice(started));
        break;
      }
      await startAnewIfFull(desk, window);
      started += 1;
      if (how.isNudge) desk.nudgedThrough = slotNumber(hypothesisId);
      await window.start(async () => {
        const outcome = await runSlotOrHold(desk, hypothesisId, how);
        if (outcome.kind === 'over_budget') overBudget.push(hypothesisId);
      });
    }
  });
  if (overBudget.length > 0 && !how.isNudge) {
    const rest = { benchId, epoch, hypothesisIds: overBudget };
    await rowActivities().endSlots({ ...rest, state: 'over_budget', kind: 'budget_exceeded' });
  }
}

/** One slot. When it shows that further calls of the candidate would fail too, the candidate holds until unpaused. */
async function runSlotOrHold(desk: Desk, hypothesisId: string, how: How): Promise<HypothesisOutcome> {
  const outcome = await runSlot(desk, hypothesisId, how);
  if (how.isNudge) return outcome;
  if (outcome.kind === 'held') {
    await desk.breaker.hold(`its first ${FIRST_OF_A_CANDIDATE} calls ended as ${outcome.reason}`);
    return runSlot(desk, hypothesisId, how);
  }
  const reason = desk.breaker.note(outcome.kind === 'failed' ? outcome.reason : null);
  if (reason) await desk.breaker.hold(`its first ${FIRST_OF_A_CANDIDATE} slots ended as ${reason}`);
  return outcome;
}

async function runSlot(
  { input, gate, breaker }: Desk,
  hypothesisId: string,
  { firstTurn, isNudge }: How,
): Promise<HypothesisOutcome> {
  const { benchId, epoch, provider, maxTurns, heartbeatMs } = input;
  const slot = { benchId, epoch, hypothesisId, provider, maxTurns, heartbeatMs, firstTurn };
  return gate.runChild(() =>
    startChild(hypothesis, {
      workflowId: childId(isNudge ? `${hypothesisId}/nudge` : hypothesisId),
      args: [{ ...slot, isPaused: gate.state, mayHold: !isNudge && !breaker.isOpen }],
      staticSummary: hypothesisId,
    }),
  );
}

async function startAnewIfFull({ input, gate, breaker, nudgedThrough }: Desk, window: Window): Promise<void> {
  if (!isHistoryFull()) return;
  await window.drain();
  await continueAsNew<typeof candidate>({
    ...input,
    isPaused: gate.state,
    isProven: breaker.isOpen,
    nudgedThrough,
  });
}

/** Calls, or slots, of a candidate that end in the same failure before it is not paid on by itself. */
const FIRST_OF_A_CANDIDATE = 3;

/** Holds once, when the first to end all failed in the same way: the rest would too. */
class CircuitBreaker {
  private readonly reasons: (string | null)[] = [];
  private holding: Promise<void> | null = null;

  /** @param isOpen it has had its say, in a run before this one */
  constructor(
    private readonly input: CandidateInput,
    private readonly gate: PauseGate,
    public isOpen: boolean,
  ) {}

  /**
   * @param reason why a slot failed; null: it did not
   * @returns the reason to hold, the moment there is one
   */
  note(reason: string | null): string | null {
    this.reasons.push(reason);
    if (this.isOpen || this.reasons.length < FIRST_OF_A_CANDIDATE) return null;
    this.isOpen = true;
    return this.reasons.every((other) => other === reason) ? reason : null;
  }

  /** Nothing new begins, and nobody pays, until somebody says go on, drop or cancel. Whoever else comes waits too. */
  async hold(reason: string): Promise<void> {
    this.isOpen = true;
    this.holding ??= this.holdUntilUnpaused(reason);
    await this.holding;
  }

  private async holdUntilUnpaused(reason: string): Promise<void> {
    const { benchId, epoch, candidateId } = this.input;
    await this.gate.hold(async () => {
      await rowActivities().markHold({ benchId, epoch, candidateId, reason });
      setCurrentDetails(`Held: ${reason}. Unpause to go on, drop the candidate, or cancel the bench.`);
    });
    setCurrentDetails('');
    await rowActivities().markHold({ benchId, epoch, candidateId, reason: null });
  }
}

async function reviewDrafts(desk: Desk, hypothesisIds: string[]): Promise<void> {
  await Window.open(SIDE_BY_SIDE, async (window) => {
    for (const hypothesisId of hypothesisIds) {
      await startAnewIfFull(desk, window);
      await window.start(async () => {
        await desk.gate.pass();
        await reviewDraft(desk.input, hypothesisId);
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
