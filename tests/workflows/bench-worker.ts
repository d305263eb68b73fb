import { Client, Connection } from '@temporalio/client';
import {
  DefaultLogger,
  makeTelemetryFilterString,
  NativeConnection,
  Runtime,
  type Worker,
} from '@temporalio/worker';
import { type ActivityDeps, DEFAULT_CALL_LIMITS } from '../../activities/activity-deps';
import { createLiteratureGateway } from '../../activities/literature';
import { literatureSettings } from '../../activities/literature/literature-settings';
import { openProviders } from '../../activities/providers';
import type { BenchInput } from '../../core/bench-input';
import { type Database, openDatabase } from '../../db/database';
import { createPostgresSlots } from '../../db/host-slots';
import { createPostgresCache } from '../../db/literature-cache';
import { createWorkers } from '../../workers/start-workers';
import type { bench } from '../../workflows';
import { createTestDatabase, type TestDatabase } from '../stack/test-database';
import { type TestTemporal, testTemporal } from '../stack/test-temporal';
import { workflowBundle } from './workflow-bundle';

/** A worker of its own in this process, with a database and queues of its own. */
export interface BenchWorker {
  client: Client;
  db: Database;
  database: TestDatabase;
  temporal: TestTemporal;
  deps: ActivityDeps;
  /** Starts a bench; its id is made by the bench. */
  start(input: unknown, workflowId?: string): ReturnType<Client['workflow']['start']>;
  /** Runs a bench to its end. */
  run(input: BenchInput): Promise<Awaited<ReturnType<typeof bench>>>;
  close(): Promise<void>;
}

let runs = 0;

const QUIET = new DefaultLogger('ERROR');
// What workers are told to do here (resets, cancellations) makes the SDK's core warn.
const filter = makeTelemetryFilterString({ core: 'ERROR' });
Runtime.install({ logger: QUIET, telemetryOptions: { logging: { filter } } });

export async function startBenchWorker(
  changes: Partial<ActivityDeps> = {},
  env: NodeJS.ProcessEnv = {},
  where: Partial<TestTemporal> = {},
): Promise<BenchWorker> {
  const temporal = { ...testTemporal(), ...where };
  const database = await createTestDatabase();
  const db = openDatabase(database.workerUrl);
  const graderDb = openDatabase(database.graderUrl, { maxConnections: 2 });
  const literature = createLiteratureGateway({
    settings: literatureSettings(env),
    slots: createPostgresSlots(db),
    cache: createPostgresCache(db),
  });
  const deps: ActivityDeps = {
    db,
    graderDb,
    literature,
    providers: openProviders(env),
    hasBenchIdAttribute: async () => false,
    calls: { ...DEFAULT_CALL_LIMITS, graceMs: 1_000, retryDelayMs: 20 },
    ...changes,
  };
  const connection = await NativeConnection.connect({ address: temporal.address });
  const settings = {
    connection,
    namespace: temporal.namespace,
    taskQueue: temporal.taskQueue,
    shutdownGraceMs: 2_000,
    workflowBundle: await workflowBundle(),
  };
  const workers = await createWorkers(settings, deps);
  const running = Promise.all(workers.map((worker) => worker.run()));
  const clientConnection = await Connection.connect({ address: temporal.address });
  const client = new Client({ connection: clientConnection, namespace: temporal.namespace });
  const start = (input: unknown, workflowId = `${temporal.taskQueue}-${++runs}`) =>
    client.workflow.start('bench', { taskQueue: temporal.taskQueue, workflowId, args: [input] });
  return {
    client,
    db,
    database,
    temporal,
    deps,
    start,
    run: async (input) => (await start(input)).result() as ReturnType<typeof bench>,
    close: async () => {
      stopWorkers(workers);
      await running;
      await Promise.all([
        literature.close(),
        db.destroy(),
        graderDb.destroy(),
        clientConnection.close(),
        connection.close(),
      ]);
      await database.drop();
    },
  };
}

function stopWorkers(workers: Worker[]): void {
  for (const worker of workers) worker.shutdown();
}
