import type { WorkflowBundleOption } from '@temporalio/worker';
import { Worker } from '@temporalio/worker';
import type { ActivityDeps } from '../activities/activity-deps';
import {
  createLiteratureActivities,
  createModelActivities,
  createRowActivities,
} from '../activities/create-activities';
import { literatureQueue, providerQueue } from '../core/task-queues';
import { createGraderWorker } from './grader-worker';
import { type ConnectionSettings, workerOptions } from './worker-options';

export interface WorkerSettings extends ConnectionSettings {
  /** Activities per second on a provider's queue, by provider; the server enforces the mean. */
  ratesPerSecond?: ReadonlyMap<string, number>;
  /** Whether it takes workflows and activities that only touch rows; left out: it does. */
  hasRows?: boolean;
  /** A bundle made beforehand; else the workflows are bundled now, in a few seconds. */
  workflowBundle?: WorkflowBundleOption;
}

/**
 * A worker for each queue that this process serves: rows and workflows, each open provider's, and with a `graderDb` the
 * grader's (`workers/main.ts` has none: its grader is a process of its own).
 */
export async function createWorkers(settings: WorkerSettings, deps: ActivityDeps): Promise<Worker[]> {
  const shared = workerOptions(settings);
  const workers = [
    ...(settings.hasRows === false ? [] : [createRowWorker(settings, deps)]),
    ...[...deps.providers.keys()].map((provider) => {
      const rate = settings.ratesPerSecond?.get(provider);
      return Worker.create({
        ...shared,
        taskQueue: providerQueue(settings.taskQueue, provider),
        activities: createModelActivities(deps),
        ...(rate === undefined ? {} : { maxTaskQueueActivitiesPerSecond: rate }),
      });
    }),
  ];
  if (deps.literature) {
    workers.push(
      Worker.create({
        ...shared,
        taskQueue: literatureQueue(settings.taskQueue),
        activities: createLiteratureActivities(deps),
      }),
    );
  }
  if (deps.graderDb) workers.push(createGraderWorker(settings, deps));
  return Promise.all(workers);
}

async function createRowWorker(settings: WorkerSettings, deps: ActivityDeps): Promise<Worker> {
  const { workflowBundle } = settings;
  return Worker.create({
    ...workerOptions(settings),
    taskQueue: settings.taskQueue,
    ...(workflowBundle ? { workflowBundle } : { workflowsPath: require.resolve('../workflows') }),
    activities: createRowActivities(deps),
  });
}
