import { DefaultLogger, type RuntimeOptions } from '@temporalio/worker';
import { isJsonLog, writeJsonLine } from './worker-log';

/** A variable about what is seen of a worker holds something else than it may. */
export class InvalidMetricsPort extends Error {
  constructor() {
    super(
      'CO_SCIENTIST_METRICS_PORT: not a port, or address:port (9464 is 127.0.0.1:9464; 0.0.0.0:9464 all can reach)',
    );
    this.name = 'InvalidMetricsPort';
  }
}

/**
 * What every worker process of ours installs. While Temporal is away the SDK's core would say so of each poll and each
 * try, hundreds of times a minute: `temporal-connection.ts` says it once.
 * @throws InvalidMetricsPort
 */
export function runtimeOptions(env: NodeJS.ProcessEnv): RuntimeOptions {
  const bindAddress = metricsAddress(env);
  const filter = 'warn,temporalio_client::retry=off';
  return {
    shutdownSignals: ['SIGTERM', 'SIGINT'],
    ...(isJsonLog(env) ? { logger: jsonLogger() } : {}),
    telemetryOptions: {
      logging: isJsonLog(env) ? { filter, forward: {} } : { filter },
      ...(bindAddress === null ? {} : { metrics: { prometheus: prometheus(bindAddress) } }),
    },
  };
}

/**
 * Where this process's metrics are to be had: `CO_SCIENTIST_METRICS_PORT`, a port on the loopback or `address:port`; null:
 * nowhere.
 * @throws InvalidMetricsPort
 */
export function metricsAddress(env: NodeJS.ProcessEnv): string | null {
  const text = env.CO_SCIENTIST_METRICS_PORT?.trim();
  if (!text) return null;
  const [, address, digits] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (!(port >= 1 && port <= 65_535)) throw new InvalidMetricsPort();
  return `${address ?? '127.0.0.1'}:${port}`;
}

function prometheus(bindAddress: string) {
  return {
    bindAddress,
    countersTotalSuffix: true,
    unitSuffix: true,
    useSecondsForDurations: true,
    histogramBucketOverrides: {
      co_scientist_call_cost: [0.0001, 0.001, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
      co_scientist_call_latency: [0.1, 0.3, 1, 3, 10, 30, 60, 120, 300, 600],
      co_scientist_queue_lag: [0.01, 0.1, 0.3, 1, 3, 10, 30, 60, 300, 1_800],
    },
  };
}

function jsonLogger(): DefaultLogger {
  return new DefaultLogger('INFO', ({ level, timestampNanos, message, meta }) => {
    writeJsonLine(level, new Date(Number(timestampNanos / 1_000_000n)), message, meta ?? {});
  });
}
