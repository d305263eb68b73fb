import type { Context } from '@temporalio/activity';
import type { MetricMeter } from '@temporalio/common';
import type { NativeConnection, WorkerOptions } from '@temporalio/worker';
import { FailureGuard } from './failure-guard';
import { Heartbeats } from './heartbeats';
import { LoggedIds, QueueLag } from './queue-lag';

export interface ConnectionSettings {
  connection: NativeConnection;
  namespace: string;
  /** The base of all queues. */
  taskQueue: string;
  /** Above the grace that a call in flight gets. */
  shutdownGraceMs: number;
  /** Worker versioning: the version of this code; left out: none, which is the rule. */
  buildId?: string;
  /** Where to count how long tasks wait; left out: nowhere. */
  meter?: MetricMeter;
}

/** What every worker of ours has in common, whatever its queue. */
export function workerOptions(settings: ConnectionSettings): Omit<WorkerOptions, 'taskQueue'> {
  const lag = settings.meter?.createHistogram(
    'co_scientist_queue_lag',
    'float',
    'seconds',
    'From when a task could be taken to when somebody took it',
  );
  return {
    connection: settings.connection,
    namespace: settings.namespace,
    shutdownGraceTime: settings.shutdownGraceMs,
    ...versioning(settings),
    interceptors: {
      activity: [
        (context) => ({ inbound: new FailureGuard(context) }),
        (context) => ({ inbound: new Heartbeats(context) }),
        () => {
          const ids = new LoggedIds();
          return { inbound: ids, outbound: ids };
        },
        ...(lag ? [(context: Context) => ({ inbound: new QueueLag(context, lag) })] : []),
      ],
    },
    // A killed worker's workflows wait for it no longer than this before another takes them up.
    stickyQueueScheduleToStartTimeout: '3 seconds',
  };
}

/** A bench stays with the workers of the version it began on; which one new benches begin on, the server is told. */
function versioning({
  buildId,
  taskQueue,
}: ConnectionSettings): Pick<WorkerOptions, 'workerDeploymentOptions'> {
  if (!buildId) return {};
  return {
    workerDeploymentOptions: {
      useWorkerVersioning: true,
      version: { deploymentName: taskQueue, buildId },
      defaultVersioningBehavior: 'PINNED',
    },
  };
}
