import {
  allHandlersFinished,
  CancellationScope,
  condition,
  defineQuery,
  isCancellation,
  setCurrentDetails,
  setHandler,
  startChild,
  upsertMemo,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { BenchHandle } from '../activities/create-bench';
import type { BenchInput } from '../core/bench-input';
import type { CandidateState } from '../core/bench-states';
import type { BenchSummary } from '../core/bench-summary';
import { finishActivities, graderActivities, rowActivities } from './activity-options';
import { BenchControl } from './bench-control';
import { candidate } from './candidate';
import { checkProviders } from './check-providers';
import { childId } from './child-id';
import { debatesInFlight } from './debate-events';
import { causeOfEnd, findApplicationFailure } from './failure-kinds';
import { PauseGate } from './pause-gate';
import { runScipivot } from './scipivot-stage';
import { capRaisedSignal, tournament } from './tournament';

export interface BenchProgress {
  benchId: string | null;
  stage: 'planning' | 'checking' | 'generating' | 'judging' | 'scipivot' | 'finishing' | 'ended';
  isPaused: boolean;
}

/**
 * A whole bench: plan, check, candidates side by side, tournament, results. All it knows lies in rows; a retry, a
 * reset and a restart work over the same ones.
 */
export async function bench(input: BenchInput): Promise<BenchSummary> {
  const control = new BenchControl();
  const handle = await planBench(input);
  const ref = { benchId: handle.benchId, epoch: handle.epoch };
  const rows = rowActivities();
  const progress: BenchProgress = { benchId: handle.benchId, stage: 'checking', isPaused: false };
  setHandler(defineQuery<BenchProgress>('progress'), () => progress, {
    description: 'The bench id and what the bench is at.',
  });
  announce(handle);
  try {
    await rows.markBench({ ...ref, state: 'running' });
    // From here on it listens; a pause that came before waited until now.
    const gate = new PauseGate(false, async (isPaused) => {
      progress.isPaused = isPaused;
      await rows.markBench({ ...ref, state: isPaused ? 'paused' : 'running' });
    });
    control.begin(ref);
    await gate.pass();
    await checkProviders(handle);
    await gate.pass();
    progress.stage = 'generating';
    for (const upToSlot of handle.runEnds ?? [undefined]) {
      await runCandidates(handle, gate, control, upToSlot);
      await gate.pass();
    }
    if (handle.hasScipivot) {
      // How good the judges are at it is known before they judge.
      progress.stage = 'scipivot';
      await runScipivot({ handle, gate, control, role: 'judge' });
      await gate.pass();
    }
    progress.stage = 'judging';
    if (handle.matches > 0) await runTournament(handle, gate, control);
    await gate.pass();
    if (handle.hasScipivot) {
      progress.stage = 'scipivot';
      await runScipivot({ handle, gate, control, role: 'candidate' });
      await gate.pass();
    }
    progress.stage = 'finishing';
    if (handle.hasGoldSet) await graderActivities().scoreGoldSet(ref);
    await condition(allHandlersFinished);
    const summary = await CancellationScope.nonCancellable(() =>
      finishActivities().finishBench({ ...ref, status: 'finished' }),
    );
    if (handle.isNight) {
      // A cancel that comes now has nothing to end: it must not make a finished bench a cancelled one.
      await CancellationScope.nonCancellable(async () => {
        await rows.closeNight(ref);
        await rows.tellRegression(ref);
      });
    }
    progress.stage = 'ended';
    return summary;
  } catch (error) {
    const cause = causeOfEnd(error);
    await CancellationScope.nonCancellable(() => endEarly(ref, cause));
    throw cause;
  }
}

/** @throws ApplicationFailure `InvalidBenchInput`, the planner's own, unwrapped: the workflow fails with it at once */
async function planBench(input: BenchInput): Promise<BenchHandle> {
  const { namespace, workflowId, firstExecutionRunId } = workflowInfo();
  try {
    return await rowActivities().createBench({
      input,
      namespace,
      workflowId,
      firstRunId: firstExecutionRunId,
    });
  } catch (error) {
    throw findApplicationFailure(error) ?? error;
  }
}

function announce(handle: BenchHandle): void {
  upsertMemo({ bench_id: handle.benchId });
  if (handle.hasBenchIdAttribute) upsertSearchAttributes({ bench_id: [handle.benchId] });
  setCurrentDetails(`Bench \`${handle.benchId}\`: ${handle.candidates.length} candidates`);
}

/**
 * Candidates side by side; those that a cap had stopped go again when it was raised meanwhile. Returns when all have
 * ended: a cancelled bench sums up what its last call in flight has come to as well.
 */
async function runCandidates(
  handle: BenchHandle,
  gate: PauseGate,
  control: BenchControl,
  upToSlot: number | undefined,
): Promise<void> {
  const failures: unknown[] = [];
  let pending = handle.candidates;
  while (pending.length > 0) {
    const raises = control.raises;
    const ends = await Promise.allSettled(
      pending.map((planned) => runOrFail(handle, gate, control, { ...planned, upToSlot }, failures)),
    );
    const thrown = ends.find((end) => end.status === 'rejected');
    if (thrown) throw thrown.reason;
    const isOverBudget = (i: number) => ends[i]?.status === 'fulfilled' && ends[i].value === 'over_budget';
    pending = control.raises > raises ? pending.filter((_, i) => isOverBudget(i)) : [];
  }
  if (failures.length > 0 && failures.length === handle.candidates.length) throw failures[0];
}

/** One candidate in one run of the bench; without replicates there is one, and no last slot of it. */
type CandidateRun = BenchHandle['candidates'][number] & { upToSlot: number | undefined };

/** A candidate that breaks ends alone; the bench goes on with the others. */
async function runOrFail(
  handle: BenchHandle,
  gate: PauseGate,
  control: BenchControl,
  planned: CandidateRun,
  failures: unknown[],
): Promise<CandidateState> {
  try {
    return await control.runDroppable(planned.label, () => runCandidate(handle, gate, planned));
  } catch (error) {
    if (control.isDropped(planned.label)) return 'dropped';
    const failure = findApplicationFailure(error);
    if (isCancellation(error) || failure?.type === 'BenchTakenOver') throw error;
    const { benchId, epoch } = handle;
    const failureKind = failure?.type ?? 'Failed';
    await rowActivities().markCandidate({
      benchId,
      epoch,
      candidateId: planned.id,
      state: 'failed',
      failureKind,
    });
    failures.push(error);
    return 'failed';
  }
}

async function runCandidate(
  handle: BenchHandle,
  gate: PauseGate,
  { id, label, provider, upToSlot }: CandidateRun,
): Promise<CandidateState> {
  const { benchId, epoch, maxTurns, heartbeatMs, reviewerProvider } = handle;
  return gate.runChild(() =>
    startChild(candidate, {
      workflowId: childId(id),
      args: [
        {
          benchId,
          epoch,
          candidateId: id,
          label,
          provider,
          reviewerProvider,
          maxTurns,
          heartbeatMs,
          ...(upToSlot === undefined ? {} : { upToSlot }),
          isPaused: gate.state,
        },
      ],
      staticSummary: label,
    }),
  );
}

async function runTournament(handle: BenchHandle, gate: PauseGate, control: BenchControl): Promise<void> {
  const { benchId, epoch, judges, maxInFlight, heartbeatMs, onJudgeCap, hasRepeats, argumentTurns } = handle;
  const progress = {
    lastIndex: -1,
    verdicts: 0,
    invalid: 0,
    matches: null,
    hasHeld: false,
    hasMissed: false,
  };
  await gate.runChild(async () => {
    const child = await startChild(tournament, {
      workflowId: childId(`${benchId}/tournament`),
      args: [
        {
          ...{ benchId, epoch, judges, maxInFlight, heartbeatMs, onJudgeCap },
          ...(hasRepeats ? { hasRepeats } : {}),
          ...(argumentTurns ? { argumentTurns, debatesInFlight: debatesOf(handle, argumentTurns) } : {}),
          isPaused: gate.state,
          progress,
        },
      ],
    });
    control.onRaise(() => child.signal(capRaisedSignal));
    return child;
  });
}

function debatesOf({ judges, maxInFlight }: BenchHandle, argumentTurns: number): number {
  return debatesInFlight({ argumentTurns, judges: judges.length }, maxInFlight);
}

/** A cancelled bench keeps and sums up what it has; a failed one says why. */
async function endEarly(ref: { benchId: string; epoch: number }, error: unknown): Promise<void> {
  const rows = rowActivities();
  if (isCancellation(error)) {
    await finishActivities().finishBench({ ...ref, status: 'cancelled' });
    return;
  }
  const failure = findApplicationFailure(error);
  if (failure?.type === 'BenchTakenOver') return;
  await rows.markBench({
    ...ref,
    state: 'failed',
    failure: { kind: failure?.type ?? 'Failed', detail: failure?.message ?? String(error) },
  });
}
