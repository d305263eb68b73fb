import type { NativeConnection, WorkerOptions, WorkflowBundleOption } from '@temporalio/worker';
import { Worker } from '@temporalio/worker';
import type { ActivityDeps } from '../activities/activity-deps';
import {
  createGraderActivities,
  createLiteratureActivities,
  createModelActivities,
  createRowActivities,
} from '../activities/create-activities';
import { graderQueue, literatureQueue, providerQueue } from '../core/task-queues';
import { FailureGuard } from './failure-guard';
import { Heartbeats } from './heartbeats';

export interface WorkerSettings {
  connection: NativeConnection;
  namespace: string;
  /** The base of all queues. */
  taskQueue: string;
  /** Activities per second on a provider's queue, by provider; the server enforces the mean. */
  ratesPerSecond?: ReadonlyMap<string, number>;
  /** A bundle made beforehand; else the workflows are bundled now, in a few seconds. */
  workflowBundle?: WorkflowBundleOption;
  /** Above the grace that a call in flight gets. */
  shutdownGraceMs: number;
}

/** A worker for each queue this process can serve: rows and workflows, the grader's, and each open provider's. */
export async function createWorkers(settings: WorkerSettings, deps: ActivityDeps): Promise<Worker[]> {
  const shared: Omit<WorkerOptions, 'taskQueue'> = {
    connection: settings.connection,
    namespace: settings.namespace,
    shutdownGraceTime: settings.shutdownGraceMs,
    interceptors: {
      activity: [
        (context) => ({ inbound: new FailureGuard(context) }),
        (context) => ({ inbound: new Heartbeats(context) }),
      ],
    },
    // A killed worker's workflows wait for it no longer than this before another takes them up.
    stickyQueueScheduleToStartTimeout: '3 seconds',
  };
  const workers = [
    Worker.create({
      ...shared,
      taskQueue: settings.taskQueue,
      ...(settings.workflowBundle
        ? { workflowBundle: settings.workflowBundle }
        : { workflowsPath: require.resolve('../workflows') }),
      activities: createRowActivities(deps),
    }),
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
  if (deps.graderDb) {
    workers.push(
      Worker.create({
        ...shared,
        taskQueue: graderQueue(settings.taskQueue),
        activities: createGraderActivities(deps),
      }),
    );
  }
  return Promise.all(workers);
}
