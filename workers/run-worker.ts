import { setMaxListeners } from 'node:events';
import { Runtime, type RuntimeOptions, type Worker } from '@temporalio/worker';
import type { ActivityDeps, CallLimits } from '../activities/activity-deps';
import { createLiteratureGateway } from '../activities/literature';
import { type LiteratureSettings, literatureSettings } from '../activities/literature/literature-settings';
import { openProviders } from '../activities/providers';
import type { Provider } from '../activities/providers/provider';
import { chooseQueues, type ServedQueues, servedNames } from '../activities/served-queues';
import { DEFAULT_TASK_QUEUE } from '../core/task-queues';
import { openDatabase } from '../db/database';
import { readGradingAccess } from '../db/grading-access';
import { createPostgresSlots } from '../db/host-slots';
import { createPostgresCache } from '../db/literature-cache';
import { awaitSchema } from './await-postgres';
import { createBenchObserver } from './bench-observer';
import { readCallLimits } from './call-limits';
import { startGrader } from './grader-process';
import { readProviderRates } from './provider-rates';
import { runGrader } from './run-grader';
import { runtimeOptions } from './runtime';
import { hasSearchAttribute } from './search-attribute';
import { createWorkers } from './start-workers';
import { readTemporalConfig } from './temporal-config';
import { connectTemporal, watchTemporal } from './temporal-connection';
import { type Say, sayAs } from './worker-log';

/**
 * Serves queues until SIGTERM or SIGINT, then drains. Everything it needs comes from the environment.
 * @param asked queues as `--queues` and `CO_SCIENTIST_QUEUES` name them; empty: all that this process can serve
 * @throws UnservableQueues, InvalidMetricsPort, InvalidProviderRates, InvalidCallLimit, InvalidLiteratureSettings, and
 *   what `openProviders` throws, before anything is begun
 */
export async function runWorker(
  env: NodeJS.ProcessEnv,
  asked: string | undefined = env.CO_SCIENTIST_QUEUES,
): Promise<void> {
  const say = sayAs('worker', env);
  if (asked?.trim() === 'grader') {
    return runGrader(env, () => process.stdout.write('worker ready: grader\n'));
  }
  const databaseUrl = env.DATABASE_URL;
  if (!databaseUrl)
    throw new Error('DATABASE_URL is not set (co-scientist up starts a local stack with a worker)');
  const settings = {
    calls: readCallLimits(env),
    ratesPerSecond: readProviderRates(env.CO_SCIENTIST_RATES),
    providers: openProviders(env),
    literature: literatureSettings(env),
    runtime: runtimeOptions(env),
  };
  await awaitSchema(databaseUrl, (line) => {
    // What is wrong with the queues and needs no Postgres to be known is told instead of waiting.
    chooseQueues(asked, { openProviders: settings.providers.keys(), whyNoGrader: null });
    say(line);
  });
  const grading = await findGrader(env, databaseUrl);
  const queues = chooseQueues(asked, {
    openProviders: settings.providers.keys(),
    whyNoGrader: 'why' in grading ? grading.why : null,
  });
  const graderUrl = queues.grader && 'url' in grading ? grading.url : null;
  await serve({ ...settings, env, say, databaseUrl, graderUrl, queues });
}

interface Serving {
  env: NodeJS.ProcessEnv;
  say: Say;
  databaseUrl: string;
  /** null: nobody grades beside this process. */
  graderUrl: string | null;
  queues: ServedQueues;
  calls: CallLimits;
  ratesPerSecond: ReadonlyMap<string, number>;
  providers: ReadonlyMap<string, Provider>;
  literature: LiteratureSettings;
  runtime: RuntimeOptions;
}

/** Opens what the queues need, serves them, and closes it all, however it ends. */
async function serve({
  env,
  say,
  databaseUrl,
  graderUrl,
  queues,
  calls,
  ...settings
}: Serving): Promise<void> {
  Runtime.install(settings.runtime);
  const config = readTemporalConfig(env);
  const namespace = config.namespace ?? 'default';
  const connection = await connectTemporal(config.connectionOptions ?? {}, say);
  const db = openDatabase(databaseUrl, { applicationName: 'co-scientist worker' });
  const grader = graderUrl === null ? null : startGrader(graderUrl, env);
  const shutdownGraceMs = calls.graceMs + 5_000;
  const literature = createLiteratureGateway({
    settings: settings.literature,
    slots: createPostgresSlots(db),
    cache: createPostgresCache(db),
  });
  const deps: ActivityDeps = {
    ...{ db, graderDb: null, calls },
    stopped: stopSignal(shutdownGraceMs),
    literature: queues.literature ? literature : null,
    providers: new Map([...settings.providers].filter(([name]) => queues.providers.includes(name))),
    hasBenchIdAttribute: () => hasSearchAttribute(connection, namespace, 'bench_id'),
    observer: createBenchObserver(Runtime.instance().metricMeter, env),
    ...(env.ARTIFACTS_DIR ? { artifactsDir: env.ARTIFACTS_DIR } : {}),
  };
  const codePath = env.CO_SCIENTIST_WORKFLOW_BUNDLE;
  const stopWatching = watchTemporal(connection, config.connectionOptions?.address ?? '', say);
  try {
    const workers = await createWorkers(
      {
        ...{ connection, namespace, ratesPerSecond: settings.ratesPerSecond, hasRows: queues.rows },
        taskQueue: env.CO_SCIENTIST_TASK_QUEUE || DEFAULT_TASK_QUEUE,
        shutdownGraceMs,
        meter: Runtime.instance().metricMeter,
        ...(env.CO_SCIENTIST_BUILD_ID ? { buildId: env.CO_SCIENTIST_BUILD_ID } : {}),
        ...(codePath ? { workflowBundle: { codePath } } : {}),
      },
      deps,
    );
    await grader?.ready;
    await run(workers, queues, say);
  } finally {
    stopWatching();
    await Promise.all([literature.close(), db.destroy(), grader?.stop(), connection.close()]);
  }
}

/** Aborted when this process has been told to end and its calls have had their grace. */
function stopSignal(graceMs: number): AbortSignal {
  const stopped = new AbortController();
  setMaxListeners(0, stopped.signal); // each call in flight listens
  const stopLater = () => void setTimeout(() => stopped.abort(), graceMs).unref();
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, stopLater);
  return stopped.signal;
}

async function run(workers: Worker[], queues: ServedQueues, say: Say): Promise<void> {
  const running = Promise.all(workers.map((worker) => worker.run()));
  if (queues.notServed.length > 0) {
    say(`not served: ${queues.notServed.map(({ queue, why }) => `${queue} (${why})`).join(', ')}`);
  }
  process.stdout.write(`worker ready: ${servedNames(queues).join(', ')}\n`);
  await running;
}

/**
 * Who grades for this process: a process of its own under DATABASE_GRADER_URL, or where the roles are not parted, under
 * the one role there is (SciΠvot then refuses to run). Nobody where `CO_SCIENTIST_GRADER=elsewhere` says that others do, or
 * where the role may not. From here on this process's environment holds no grader's URL.
 */
async function findGrader(
  env: NodeJS.ProcessEnv,
  databaseUrl: string,
): Promise<{ url: string } | { why: string }> {
  const own = env.DATABASE_GRADER_URL;
  delete env.DATABASE_GRADER_URL;
  if (env.CO_SCIENTIST_GRADER === 'elsewhere') return { why: 'CO_SCIENTIST_GRADER=elsewhere' };
  if (own) return { url: own };
  const { role, mayGrade } = await readGradingAccess(databaseUrl);
  return mayGrade ? { url: databaseUrl } : { why: `role ${role} may not grade: set DATABASE_GRADER_URL` };
}
