import { isCancellation, startChild } from '@temporalio/workflow';
import type { BenchHandle } from '../activities/create-bench';
import type { AskedSubject } from '../activities/scipivot-rows';
import { graderActivities, rowActivities } from './activity-options';
import type { BenchControl } from './bench-control';
import { childId } from './child-id';
import { findApplicationFailure } from './failure-kinds';
import type { PauseGate } from './pause-gate';
import { type ScipivotEnd, scipivot } from './scipivot';

type Stage = { handle: BenchHandle; gate: PauseGate; control: BenchControl; role: 'candidate' | 'judge' };

/**
 * Asks a bench's candidates, or its judges, all side by side, and has them graded. Those that a cap had stopped go
 * again when it was raised meanwhile.
 */
export async function runScipivot(stage: Stage): Promise<void> {
  const { handle, control, role } = stage;
  const { benchId, epoch } = handle;
  const asked = await rowActivities().openScipivot({ benchId, epoch, role });
  if (asked.length === 0) return;
  const maxInFlight = Math.max(1, Math.ceil(handle.maxInFlight / asked.length));
  let pending = asked;
  while (pending.length > 0) {
    const raises = control.raises;
    const ends = await Promise.allSettled(pending.map((one) => runOrFail(stage, one, maxInFlight)));
    const thrown = ends.find((end) => end.status === 'rejected');
    if (thrown) throw thrown.reason;
    const isOverBudget = (i: number) => ends[i]?.status === 'fulfilled' && ends[i].value === 'over_budget';
    pending = control.raises > raises ? pending.filter((_, i) => isOverBudget(i)) : [];
  }
  await stage.gate.pass();
  await graderActivities().gradeScipivot({ benchId, epoch, role });
}

/** One that breaks ends alone, ungraded. */
async function runOrFail(
  stage: Stage,
  one: AskedSubject,
  maxInFlight: number,
): Promise<ScipivotEnd | 'dropped' | 'failed'> {
  const { handle, control, role } = stage;
  const { benchId, epoch } = handle;
  const run = () => runSubject(stage, one, maxInFlight);
  try {
    return await (role === 'candidate' ? control.runDroppable(one.subject, run) : run());
  } catch (error) {
    if (role === 'candidate' && control.isDropped(one.subject)) return 'dropped';
    const failure = findApplicationFailure(error);
    if (isCancellation(error) || failure?.type === 'BenchTakenOver') throw error;
    const failureKind = failure?.type ?? 'Failed';
    await rowActivities().markSubject({ benchId, epoch, subject: one.subject, state: 'failed', failureKind });
    return 'failed';
  }
}

async function runSubject(
  { handle, gate }: Stage,
  { subject, provider }: AskedSubject,
  maxInFlight: number,
): Promise<ScipivotEnd> {
  const { benchId, epoch, heartbeatMs } = handle;
  const progress = { lastPosition: -1, ended: 0, unanswered: 0, hasHeld: false };
  return gate.runChild(() =>
    startChild(scipivot, {
      workflowId: childId(`${benchId}/scipivot/${subject}`),
      args: [{ benchId, epoch, subject, provider, maxInFlight, heartbeatMs, isPaused: gate.state, progress }],
      staticSummary: subject,
    }),
  );
}
