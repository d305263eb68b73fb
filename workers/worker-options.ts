import type { NativeConnection, WorkerOptions } from '@temporalio/worker';
import { FailureGuard } from './failure-guard';
import { Heartbeats } from './heartbeats';

export interface ConnectionSettings {
  connection: NativeConnection;
  namespace: string;
  /** The base of all queues. */
  taskQueue: string;
  /** Above the grace that a call in flight gets. */
  shutdownGraceMs: number;
}

/** What every worker of ours has in common, whatever its queue. */
export function workerOptions(settings: ConnectionSettings): Omit<WorkerOptions, 'taskQueue'> {
  return {
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
}
