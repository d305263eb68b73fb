import type { RuntimeOptions } from '@temporalio/worker';

/**
 * What every worker process of ours installs. While Temporal is away the SDK's core would say so of each poll and each
 * try, hundreds of times a minute: `temporal-connection.ts` says it once.
 */
export const RUNTIME: RuntimeOptions = {
  shutdownSignals: ['SIGTERM', 'SIGINT'],
  telemetryOptions: { logging: { filter: 'warn,temporalio_client::retry=off' } },
};
