import { loadClientConnectConfig } from '@temporalio/envconfig';
import { Runtime } from '@temporalio/worker';
import { createLiteratureGateway } from '../activities/literature';
import { literatureSettings } from '../activities/literature/literature-settings';
import { openProviders } from '../activities/providers';
import { DEFAULT_TASK_QUEUE } from '../core/task-queues';
import { openDatabase } from '../db/database';
import { createPostgresSlots } from '../db/host-slots';
import { createPostgresCache } from '../db/literature-cache';
import { awaitSchema } from './await-postgres';
import { readCallLimits } from './call-limits';
import { type GraderProcess, startGrader } from './grader-process';
import { readProviderRates } from './provider-rates';
import { RUNTIME } from './runtime';
import { hasSearchAttribute } from './search-attribute';
import { createWorkers } from './start-workers';
import { connectTemporal, watchTemporal } from './temporal-connection';

/** A worker process: everything it needs comes from the environment; SIGTERM drains it. */
async function main(): Promise<void> {
  const databaseUrl = process.env.DATABASE_URL;
  if (!databaseUrl)
    throw new Error('DATABASE_URL is not set (co-scientist up starts a local stack with a worker)');
  await awaitSchema(databaseUrl, say);
  Runtime.install(RUNTIME);
  const calls = readCallLimits(process.env);
  const codePath = process.env.CO_SCIENTIST_WORKFLOW_BUNDLE;
  const config = loadClientConnectConfig();
  const namespace = config.namespace ?? 'default';
  const connection = await connectTemporal(config.connectionOptions ?? {}, say);
  const db = openDatabase(databaseUrl, { applicationName: 'co-scientist worker' });
  const grader = startGraderBeside(databaseUrl);
  const providers = openProviders(process.env);
  const literature = createLiteratureGateway({
    settings: literatureSettings(process.env),
    slots: createPostgresSlots(db),
    cache: createPostgresCache(db),
  });
  const workers = await createWorkers(
    {
      connection,
      namespace,
      taskQueue: process.env.CO_SCIENTIST_TASK_QUEUE || DEFAULT_TASK_QUEUE,
      ratesPerSecond: readProviderRates(process.env.CO_SCIENTIST_RATES),
      shutdownGraceMs: calls.graceMs + 5_000,
      ...(codePath ? { workflowBundle: { codePath } } : {}),
    },
    {
      db,
      graderDb: null,
      literature,
      providers,
      hasBenchIdAttribute: () => hasSearchAttribute(connection, namespace, 'bench_id'),
      calls,
      ...(process.env.ARTIFACTS_DIR ? { artifactsDir: process.env.ARTIFACTS_DIR } : {}),
    },
  );
  await grader?.ready;
  const running = Promise.all(workers.map((worker) => worker.run()));
  process.stdout.write(`worker ready: ${[...providers.keys()].join(', ')}\n`);
  const stopWatching = watchTemporal(connection, config.connectionOptions?.address ?? '', say);
  await running.finally(stopWatching);
  await Promise.all([literature.close(), db.destroy(), grader?.stop(), connection.close()]);
}

/**
 * Where the roles are not parted (no DATABASE_GRADER_URL), one role reads it all; SciΠvot then refuses to run.
 * `CO_SCIENTIST_GRADER=elsewhere`: somebody else runs `workers/grader.ts`, and this process knows no grader's URL.
 */
function startGraderBeside(databaseUrl: string): GraderProcess | null {
  const graderUrl = process.env.DATABASE_GRADER_URL || databaseUrl;
  delete process.env.DATABASE_GRADER_URL;
  return process.env.CO_SCIENTIST_GRADER === 'elsewhere' ? null : startGrader(graderUrl);
}

function say(line: string): void {
  process.stderr.write(`worker: ${line}\n`);
}

main().catch((error: unknown) => {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  process.stderr.write(`worker: ${name}: ${message}\n`);
  process.exit(1); // whatever it had opened by then
});
