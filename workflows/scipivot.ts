import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineQuery,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import type { BenchRef } from '../activities/activity-deps';
import { modelActivities, rowActivities } from './activity-options';
import { isBudgetExceeded } from './failure-kinds';
import { PauseGate } from './pause-gate';
import { isHistoryFull, Window } from './window';

export interface ScipivotInput extends BenchRef {
  /** A candidate's label, or a judge as `provider:model`. */
  subject: string;
  provider: string;
  maxInFlight: number;
  heartbeatMs: number;
  isPaused: boolean;
  progress: ScipivotProgress;
}

export interface ScipivotProgress {
  /** Of the last session that was asked for; −1: none yet. */
  lastPosition: number;
  /** Sessions that have ended since the workflow began. */
  ended: number;
  /** Those of them without an answer. */
  unanswered: number;
  /** Whether so many had no answer that it has held once. */
  hasHeld: boolean;
}

export type ScipivotEnd = 'asked' | 'over_budget';

const BATCH = 200;

/**
 * Asks one model every case in both orders: sessions of their own, a window of them in flight. Which are left to ask
 * stands in rows; cases travel as positions in their data set.
 */
export async function scipivot(input: ScipivotInput): Promise<ScipivotEnd> {
  const { benchId, epoch, subject } = input;
  const gate = new PauseGate(input.isPaused);
  const progress = { ...input.progress };
  const desk: Desk = { input, gate, progress, isOverBudget: false };
  setHandler(defineQuery<ScipivotProgress>('progress'), () => progress, {
    description: 'Sessions so far, of the one model that is asked.',
  });
  await askOpenSessions(desk);
  const state = desk.isOverBudget ? 'over_budget' : 'asked';
  await rowActivities().markSubject({ benchId, epoch, subject, state });
  return state;
}

interface Desk {
  input: ScipivotInput;
  gate: PauseGate;
  progress: ScipivotProgress;
  isOverBudget: boolean;
}

/** Goes through the sessions in order, until none is left or the next cannot be paid. */
async function askOpenSessions(desk: Desk): Promise<void> {
  const { benchId, epoch, subject, maxInFlight } = desk.input;
  await Window.open(maxInFlight, async (window) => {
    for (;;) {
      const place = { afterPosition: desk.progress.lastPosition, limit: BATCH };
      const batch = await rowActivities().readOpenSessions({ benchId, epoch, subject, ...place });
      for (const position of batch) {
        if (isHistoryFull()) await startAnew(desk, window);
        if (desk.isOverBudget) break;
        await window.start(async () => {
          await desk.gate.pass();
          await askOne(desk, position);
        });
        desk.progress.lastPosition = position;
      }
      const { ended, unanswered } = desk.progress;
      setCurrentDetails(`${subject}: ${ended} sessions ended, ${unanswered} without an answer`);
      if (batch.length < BATCH || desk.isOverBudget) break;
    }
  });
}

async function startAnew({ input, gate, progress }: Desk, window: Window): Promise<never> {
  await window.drain();
  await condition(allHandlersFinished);
  return continueAsNew<typeof scipivot>({ ...input, isPaused: gate.state, progress });
}

async function askOne(desk: Desk, position: number): Promise<void> {
  const { benchId, epoch, subject, provider, heartbeatMs } = desk.input;
  const model = modelActivities(provider, heartbeatMs, `session ${position}`);
  try {
    const status = await model.askSession({ benchId, epoch, subject, position });
    desk.progress.ended += 1;
    if (status !== 'ok') desk.progress.unanswered += 1;
  } catch (error) {
    if (!isBudgetExceeded(error)) throw error;
    desk.isOverBudget = true;
  }
  await holdIfUseless(desk);
}

const FIRST_SESSIONS = 20;

/** A model that answers nothing at all is not paid on until somebody says so. Holds once. */
async function holdIfUseless({ input, gate, progress }: Desk): Promise<void> {
  const { ended, unanswered, hasHeld } = progress;
  if (hasHeld || ended < FIRST_SESSIONS || unanswered < ended) return;
  progress.hasHeld = true;
  const { benchId, epoch, subject } = input;
  const reason = `none of the first ${ended} sessions has an answer`;
  await gate.hold(async () => {
    await rowActivities().holdSubject({ benchId, epoch, subject, reason });
    setCurrentDetails(`${subject}: held: ${reason}. Unpause to go on, or cancel.`);
  });
  await rowActivities().holdSubject({ benchId, epoch, subject, reason: null });
}
