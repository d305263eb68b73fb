import { loadClientConnectConfig } from '@temporalio/envconfig';
import { Runtime } from '@temporalio/worker';
import { DEFAULT_TASK_QUEUE } from '../core/task-queues';
import { openDatabase } from '../db/database';
import { awaitSchema } from './await-postgres';
import { createGraderWorker } from './grader-worker';
import { RUNTIME } from './runtime';
import { connectTemporal } from './temporal-connection';

/** Grading is quick; what is cut off is done again by whoever comes next. */
const SHUTDOWN_GRACE_MS = 10_000;

/**
 * The grader's process: it alone works under the role that may read answer keys, and it knows no other URL and no
 * key. `workers/main.ts` starts it beside itself; it can as well run alone, wherever answer keys may be.
 */
async function main(): Promise<void> {
  const databaseUrl = process.env.DATABASE_GRADER_URL;
  if (!databaseUrl) throw new Error('DATABASE_GRADER_URL is not set');
  await awaitSchema(databaseUrl, say);
  Runtime.install(RUNTIME);
  const config = loadClientConnectConfig();
  const connection = await connectTemporal(config.connectionOptions ?? {}, say);
  const graderDb = openDatabase(databaseUrl, { maxConnections: 4, applicationName: 'co-scientist grader' });
  const worker = await createGraderWorker(
    {
      connection,
      namespace: config.namespace ?? 'default',
      taskQueue: process.env.CO_SCIENTIST_TASK_QUEUE || DEFAULT_TASK_QUEUE,
      shutdownGraceMs: SHUTDOWN_GRACE_MS,
    },
    { graderDb },
  );
  // Whoever started it is gone, killed perhaps: nobody would end it.
  process.once('disconnect', () => process.exit(1));
  const running = worker.run();
  if (process.send) process.send('ready');
  else process.stdout.write('grader ready\n');
  await running;
  await Promise.all([graderDb.destroy(), connection.close()]);
  process.removeAllListeners('disconnect');
  if (process.connected) process.disconnect();
}

function say(line: string): void {
  process.stderr.write(`grader: ${line}\n`);
}

main().catch((error: unknown) => {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  process.stderr.write(`grader: ${name}: ${message}\n`);
  process.exit(1);
});
