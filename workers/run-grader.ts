import { Runtime } from '@temporalio/worker';
import { DEFAULT_TASK_QUEUE } from '../core/task-queues';
import { openDatabase } from '../db/database';
import { awaitSchema } from './await-postgres';
import { createGraderWorker } from './grader-worker';
import { runtimeOptions } from './runtime';
import { readTemporalConfig } from './temporal-config';
import { connectTemporal } from './temporal-connection';
import { sayAs } from './worker-log';

/** Grading is quick; what is cut off is done again by whoever comes next. */
const SHUTDOWN_GRACE_MS = 10_000;

/**
 * Serves the grader's queue alone, until SIGTERM or SIGINT: it alone works under the role that may read answer keys, and
 * knows no other URL.
 * @param onReady told `worker ready` once it polls
 */
export async function runGrader(env: NodeJS.ProcessEnv, onReady: (line: string) => void): Promise<void> {
  const say = sayAs('grader', env);
  const databaseUrl = env.DATABASE_GRADER_URL;
  if (!databaseUrl) throw new Error('DATABASE_GRADER_URL is not set');
  const runtime = runtimeOptions(env);
  await awaitSchema(databaseUrl, say);
  Runtime.install(runtime);
  const config = readTemporalConfig(env);
  const connection = await connectTemporal(config.connectionOptions ?? {}, say);
  const graderDb = openDatabase(databaseUrl, { maxConnections: 4, applicationName: 'co-scientist grader' });
  const worker = await createGraderWorker(
    {
      connection,
      namespace: config.namespace ?? 'default',
      taskQueue: env.CO_SCIENTIST_TASK_QUEUE || DEFAULT_TASK_QUEUE,
      shutdownGraceMs: SHUTDOWN_GRACE_MS,
      meter: Runtime.instance().metricMeter,
      ...(env.CO_SCIENTIST_BUILD_ID ? { buildId: env.CO_SCIENTIST_BUILD_ID } : {}),
    },
    { graderDb },
  );
  const running = worker.run();
  onReady('worker ready');
  await running;
  await Promise.all([graderDb.destroy(), connection.close()]);
}
