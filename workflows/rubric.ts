import { ApplicationFailure, defineQuery, setHandler } from '@temporalio/workflow';
import type { RubricHandle, RubricRequest, RubricWork } from '../activities/evaluation/open-rubric';
import { firstModelActivities, modelActivities, rowActivities } from './activity-options';
import { findApplicationFailure, isBudgetExceeded, isUnanswered } from './failure-kinds';
import { PauseGate } from './pause-gate';
import { Window } from './window';

/** Counts of pieces of work. */
export interface RubricProgress {
  /** To be scored. */
  work: number;
  valid: number;
  /** Without marks that can be read. */
  invalid: number;
  /** Left when the cap was reached. */
  overBudget: number;
}

/** Scores side by side, where nobody says otherwise. */
const SIDE_BY_SIDE = 10;

/**
 * A judge's marks for the work of a bench that has ended, by each agent's rubric. What is scored stands in rows: asked
 * again, only what is missing is paid for.
 * @throws ApplicationFailure `InvalidRubric`: what is asked cannot be scored
 */
export async function rubric(request: RubricRequest): Promise<RubricProgress> {
  const gate = new PauseGate(false);
  const progress: RubricProgress = { work: 0, valid: 0, invalid: 0, overBudget: 0 };
  setHandler(defineQuery<RubricProgress>('progress'), () => progress, {
    description: 'Pieces of work scored so far.',
  });
  const handle = await rowActivities()
    .openRubric(request)
    .catch((error: unknown) => {
      throw findApplicationFailure(error) ?? error;
    });
  progress.work = handle.work.length;
  const [first, ...rest] = handle.work;
  if (first) await scoreFirst(handle, first, progress);
  await Window.open(handle.maxInFlight ?? SIDE_BY_SIDE, async (window) => {
    for (const work of rest) {
      await window.start(async () => {
        await gate.pass();
        await score(handle, work, progress);
      });
    }
  });
  return progress;
}

/** @throws ApplicationFailure `InvalidRubric` where no worker could ever score anything */
async function scoreFirst(handle: RubricHandle, work: RubricWork, progress: RubricProgress): Promise<void> {
  try {
    await score(handle, work, progress, firstModelActivities);
  } catch (error) {
    if (!isUnanswered(error)) throw error;
    throw ApplicationFailure.create({
      type: 'InvalidRubric',
      message: `this cannot be scored:\n- no running worker has a key for ${handle.judge.provider}`,
      nonRetryable: true,
    });
  }
}

async function score(
  { benchId, epoch, judge, heartbeatMs }: RubricHandle,
  { agent, subject }: RubricWork,
  progress: RubricProgress,
  activities = modelActivities,
): Promise<void> {
  if (progress.overBudget > 0) {
    progress.overBudget += 1;
    return;
  }
  try {
    const model = activities(judge.provider, heartbeatMs, `${agent} ${subject}`);
    progress[await model.scoreRubric({ benchId, epoch, judge, agent, subject })] += 1;
  } catch (error) {
    if (!isBudgetExceeded(error)) throw error;
    progress.overBudget += 1;
  }
}
