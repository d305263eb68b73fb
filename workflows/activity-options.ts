import type { ActivityOptions } from '@temporalio/workflow';
import { ActivityCancellationType, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { LiteratureActivities, ModelActivities, RowActivities } from '../activities/create-activities';
import type { GraderActivities } from '../activities/create-grader-activities';
import { graderQueue, literatureQueue, providerQueue } from '../core/task-queues';

/**
 * Retries are unlimited within a day: an outage must not use up tries. How often a paid request may go out is counted
 * in the ledger, not here. Every worker heartbeats for every activity it runs: silence means that it is dead, and
 * the activity goes to another.
 */
const PATIENT: ActivityOptions = {
  scheduleToCloseTimeout: '24 hours',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
};

/** Only touch rows, on the workflow's own queue. */
export function rowActivities(): RowActivities {
  return proxyActivities<RowActivities>({ ...PATIENT, startToCloseTimeout: '2 minutes' });
}

/** Sum a bench up: ratings of a hundred candidates, and their files, take minutes on a busy machine. */
export function finishActivities(): Pick<RowActivities, 'finishBench'> {
  return proxyActivities<RowActivities>({ ...PATIENT, startToCloseTimeout: '30 minutes' });
}

/**
 * Call a model, on its provider's queue.
 * @param heartbeatMs as the bench's handle has it
 */
export function modelActivities(provider: string, heartbeatMs: number, summary: string): ModelActivities {
  return proxyActivities<ModelActivities>(modelOptions(provider, heartbeatMs, summary));
}

function modelOptions(provider: string, heartbeatMs: number, summary: string): ActivityOptions {
  return {
    ...PATIENT,
    taskQueue: providerQueue(workflowInfo().taskQueue, provider),
    // One call of ten minutes at most, and what Postgres may take; a worker that is gone is known by its heartbeats.
    startToCloseTimeout: '20 minutes',
    heartbeatTimeout: heartbeatMs,
    summary,
  };
}

/** The first call of many, where nobody to take it in time means that no worker has the provider's key. */
export function firstModelActivities(
  provider: string,
  heartbeatMs: number,
  summary: string,
): ModelActivities {
  return proxyActivities<ModelActivities>({
    ...modelOptions(provider, heartbeatMs, summary),
    scheduleToStartTimeout: '30 seconds',
  });
}

/** The check that somebody with this provider's key is there at all. */
export function checkActivities(provider: string): Pick<ModelActivities, 'checkProvider'> {
  return proxyActivities<ModelActivities>({
    ...PATIENT,
    taskQueue: providerQueue(workflowInfo().taskQueue, provider),
    scheduleToStartTimeout: '15 seconds',
    startToCloseTimeout: '20 minutes',
  });
}

/** Run a model's tool calls. A call may wait for its turn at a host that all share before its 30 s begin. */
export function literatureActivities(
  heartbeatMs: number,
  summary: string,
): Pick<LiteratureActivities, 'runTool'> {
  return proxyActivities<LiteratureActivities>({
    ...PATIENT,
    taskQueue: literatureQueue(workflowInfo().taskQueue),
    startToCloseTimeout: '20 minutes',
    heartbeatTimeout: heartbeatMs,
    summary,
  });
}

/** The question which tools there are: nobody to answer it in time means that no worker serves them. */
export function offerActivities(): Pick<LiteratureActivities, 'offerLiterature'> {
  return proxyActivities<LiteratureActivities>({
    ...PATIENT,
    taskQueue: literatureQueue(workflowInfo().taskQueue),
    scheduleToStartTimeout: '15 seconds',
    startToCloseTimeout: '1 minute',
  });
}

export function graderActivities(): GraderActivities {
  return proxyActivities<GraderActivities>({
    ...PATIENT,
    taskQueue: graderQueue(workflowInfo().taskQueue),
    startToCloseTimeout: '2 minutes',
  });
}

/** The check that somebody can grade: nobody to answer it in time means that no worker has the grader's role. */
export function graderCheckActivities(): Pick<GraderActivities, 'checkScipivotGrader'> {
  return proxyActivities<GraderActivities>({
    ...PATIENT,
    taskQueue: graderQueue(workflowInfo().taskQueue),
    scheduleToStartTimeout: '15 seconds',
    startToCloseTimeout: '1 minute',
  });
}
