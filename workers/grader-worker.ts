import { Worker } from '@temporalio/worker';
import type { ActivityDeps } from '../activities/activity-deps';
import { createGraderActivities } from '../activities/create-grader-activities';
import { graderQueue } from '../core/task-queues';
import { type ConnectionSettings, workerOptions } from './worker-options';

/** A worker for the grader's queue alone. */
export async function createGraderWorker(
  settings: ConnectionSettings,
  deps: Pick<ActivityDeps, 'graderDb'>,
): Promise<Worker> {
  return Worker.create({
    ...workerOptions(settings),
    taskQueue: graderQueue(settings.taskQueue),
    activities: createGraderActivities(deps),
  });
}
