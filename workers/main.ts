import { loadClientConnectConfig } from '@temporalio/envconfig';
import { NativeConnection, Runtime } from '@temporalio/worker';
import { DEFAULT_CALL_LIMITS } from '../activities/activity-deps';
import { createLiteratureGateway } from '../activities/literature';
import { literatureSettings } from '../activities/literature/literature-settings';
import { openProviders } from '../activities/providers';
import { DEFAULT_TASK_QUEUE } from '../core/task-queues';
import { openDatabase } from '../db/database';
import { createPostgresSlots } from '../db/host-slots';
import { createPostgresCache } from '../db/literature-cache';
import { pendingMigrations } from '../db/migrate';
import { readProviderRates } from './provider-rates';
import { hasSearchAttribute } from './search-attribute';
import { createWorkers } from './start-workers';

/** A worker process: everything it needs comes from the environment; SIGTERM drains it. */
async function main(): Promise<void> {
  const databaseUrl = process.env.DATABASE_URL;
  if (!databaseUrl)
    throw new Error('DATABASE_URL is not set (co-scientist up starts a local stack with a worker)');
  const pending = await pendingMigrations(databaseUrl);
  if (pending.length > 0) {
    throw new Error(`the database lacks ${pending.join(', ')} (run: co-scientist migrate)`);
  }
  Runtime.install({ shutdownSignals: ['SIGTERM', 'SIGINT'] });
  const config = loadClientConnectConfig();
  const namespace = config.namespace ?? 'default';
  const connection = await NativeConnection.connect(config.connectionOptions ?? {});
  const db = openDatabase(databaseUrl);
  const graderUrl = process.env.DATABASE_GRADER_URL ?? databaseUrl;
  const graderDb = openDatabase(graderUrl, { maxConnections: 4 });
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
      shutdownGraceMs: DEFAULT_CALL_LIMITS.graceMs + 5_000,
    },
    {
      db,
      graderDb,
      literature,
      providers,
      hasBenchIdAttribute: () => hasSearchAttribute(connection, namespace, 'bench_id'),
      calls: DEFAULT_CALL_LIMITS,
    },
  );
  const running = Promise.all(workers.map((worker) => worker.run()));
  process.stdout.write(`worker ready: ${[...providers.keys()].join(', ')}\n`);
  await running;
  await Promise.all([literature.close(), db.destroy(), graderDb.destroy(), connection.close()]);
}

main().catch((error: unknown) => {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  process.stderr.write(`worker: ${name}: ${message}\n`);
  process.exitCode = 1;
});
