import {
  ApplicationFailure,
  CancellationScope,
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
import type { BenchSummary } from '../core/bench-summary';
import { checkActivities, graderActivities, offerActivities, rowActivities } from './activity-options';
import { candidate } from './candidate';
import { findApplicationFailure, isUnanswered } from './failure-kinds';
import { PauseGate } from './pause-gate';
import { tournament } from './tournament';

export interface BenchProgress {
  benchId: string | null;
  stage: 'planning' | 'checking' | 'generating' | 'judging' | 'finishing' | 'ended';
  isPaused: boolean;
}

/**
 * A whole bench: plan, check, candidates side by side, tournament, results. All it knows lies in rows; a retry, a
 * reset and a restart work over the same ones.
 */
export async function bench(input: BenchInput): Promise<BenchSummary> {
  const handle = await planBench(input);
  const ref = { benchId: handle.benchId, epoch: handle.epoch };
  const rows = rowActivities();
  const progress: BenchProgress = { benchId: handle.benchId, stage: 'checking', isPaused: false };
  const gate = new PauseGate(false, async (isPaused) => {
    progress.isPaused = isPaused;
    await rows.markBench({ ...ref, state: isPaused ? 'paused' : 'running' });
  });
  setHandler(defineQuery<BenchProgress>('progress'), () => progress, {
    description: 'The bench id and what the bench is at.',
  });
  announce(handle);
  try {
    await rows.markBench({ ...ref, state: 'running' });
    await checkProviders(handle);
    progress.stage = 'generating';
    await runCandidates(handle, gate);
    progress.stage = 'judging';
    if (handle.matches > 0) await runTournament(handle, gate);
    progress.stage = 'finishing';
    if (handle.hasGoldSet) await graderActivities().scoreGoldSet(ref);
    const summary = await CancellationScope.nonCancellable(() =>
      rows.finishBench({ ...ref, status: 'finished' }),
    );
    progress.stage = 'ended';
    return summary;
  } catch (error) {
    await CancellationScope.nonCancellable(() => endEarly(ref, error));
    throw error;
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

/** All that the bench needs is asked for side by side, and what is wrong with any of it is said together. */
async function checkProviders(handle: BenchHandle): Promise<void> {
  const { benchId, epoch } = handle;
  const answers = await Promise.all([
    ...handle.providers.map((provider) =>
      problemsOf(`key for ${provider}`, () =>
        checkActivities(provider).checkProvider({ benchId, epoch, provider }),
      ),
    ),
    ...(handle.hasPipeline
      ? [
          problemsOf('literature role', () =>
            offerActivities()
              .offerLiterature({ benchId, epoch })
              .then(() => []),
          ),
        ]
      : []),
  ]);
  const problems = answers.flat();
  if (problems.length === 0) return;
  throw ApplicationFailure.create({
    type: 'ProviderUnavailable',
    message: `The bench cannot begin:\n- ${problems.slice(0, 20).join('\n- ')}`,
    nonRetryable: true,
  });
}

async function problemsOf(what: string, check: () => Promise<string[]>): Promise<string[]> {
  try {
    return await check();
  } catch (error) {
    if (isUnanswered(error)) return [`no running worker has a ${what}`];
    const failure = findApplicationFailure(error);
    if (failure?.type === 'BudgetExceeded') return [failure.message];
    throw error;
  }
}

/** A candidate that breaks ends alone; the bench goes on with the others. */
async function runCandidates(handle: BenchHandle, gate: PauseGate): Promise<void> {
  const ends = await Promise.all(
    handle.candidates.map(async (planned) => {
      try {
        await runCandidate(handle, gate, planned);
        return null;
      } catch (error) {
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
        return { error };
      }
    }),
  );
  const [first] = ends;
  if (first && ends.every((end) => end !== null)) throw first.error;
}

async function runCandidate(
  handle: BenchHandle,
  gate: PauseGate,
  { id, label, provider }: BenchHandle['candidates'][number],
): Promise<void> {
  const { benchId, epoch, maxTurns, reviewerProvider } = handle;
  await gate.runChild(() =>
    startChild(candidate, {
      workflowId: `${id}-${runSuffix()}`,
      args: [
        {
          benchId,
          epoch,
          candidateId: id,
          label,
          provider,
          reviewerProvider,
          maxTurns,
          isPaused: gate.state,
        },
      ],
      staticSummary: label,
    }),
  );
}

async function runTournament(handle: BenchHandle, gate: PauseGate): Promise<void> {
  const { benchId, epoch, judges, maxInFlight } = handle;
  const progress = { lastIndex: -1, verdicts: 0, invalid: 0, matches: null };
  await gate.runChild(() =>
    startChild(tournament, {
      workflowId: `${benchId}/tournament-${runSuffix()}`,
      args: [{ benchId, epoch, judges, maxInFlight, isPaused: gate.state, progress }],
    }),
  );
}

/** A reset parent must not meet the children of the run it was reset from. */
function runSuffix(): string {
  return workflowInfo().runId.slice(0, 8);
}

/** A cancelled bench keeps and sums up what it has; a failed one says why. */
async function endEarly(ref: { benchId: string; epoch: number }, error: unknown): Promise<void> {
  const rows = rowActivities();
  if (isCancellation(error)) {
    await rows.finishBench({ ...ref, status: 'cancelled' });
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
