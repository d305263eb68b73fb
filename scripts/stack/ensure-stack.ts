import { CliError } from '../cli-error';
import { checkGivenDatabase, givenDatabase, placeOf } from './given-database';
import { checkGivenTemporal, givenTemporal, type TemporalEndpoint } from './given-temporal';
import { type StackHome, stackHome } from './home';
import { type DatabaseUrls, ensurePostgres } from './local-postgres';
import { ensureTemporal, localEndpoint } from './local-temporal';
import { ensureLocalWorker } from './local-worker';
import { stackSecrets } from './secrets';
import { type OpenRecord, openRecord } from './stack-record';
import { whileLocked } from './start-lock';

/** Postgres and Temporal, the user's own or those of the local stack, running and reachable. */
export interface Stack {
  databaseUrls: DatabaseUrls;
  temporal: TemporalEndpoint;
  /** Of the local Temporal server; null when the user's own is used. */
  uiUrl: string | null;
  /** CO_SCIENTIST_HOME, absolute. */
  home: string;
  /** Folder of the logs. */
  logs: string;
  /** True when neither Postgres nor Temporal is ours: nothing local is started. */
  isExternal: boolean;
}

export interface StackOptions {
  /** Takes lines on what is going on, for a person. */
  report: (line: string) => void;
}

/**
 * Starts what is missing of Postgres and Temporal, as detached processes that outlive this one. What the user has of
 * their own (DATABASE_URL, TEMPORAL_ADDRESS or a temporal.toml profile) is only checked. Two commands at once share
 * one stack. For commands that read; those that start a bench want `bringUp`.
 * @throws CliError saying what is missing and what mends it
 */
export async function ensureStack(options: StackOptions): Promise<Stack> {
  const home = stackHome();
  return whileLocked(home.lock, options.report, () => startServers(home, options));
}

/**
 * Sees that a worker of ours runs for this stack, with this shell's keys and this checkout's code.
 * @throws CliError naming its log when it does not get ready
 */
export async function ensureWorker(stack: Stack, options: StackOptions): Promise<void> {
  const home = stackHome();
  await whileLocked(home.lock, options.report, () => startWorker(home, stack, options));
}

export interface BringUpOptions extends StackOptions {
  /** Whether to migrate a database of the user's own as well; the local one always is. */
  migratesGiven: boolean;
  /** `always`, or not when both Postgres and Temporal are the user's own: then so are the workers. */
  worker: 'always' | 'beside ours';
}

/** Everything a bench needs: servers, schema, worker. */
export async function bringUp(options: BringUpOptions): Promise<BroughtUp> {
  const home = stackHome();
  return whileLocked(home.lock, options.report, async () => {
    const stack = await startServers(home, options);
    const isMigrating = options.migratesGiven || !givenDatabase();
    const applied = isMigrating ? await migrate(stack.databaseUrls.owner) : [];
    const hasWorker = options.worker === 'always' || !stack.isExternal;
    if (hasWorker) await startWorker(home, stack, options);
    return { stack, applied, hasWorker };
  });
}

export interface BroughtUp {
  stack: Stack;
  /** Names of the migrations that were run now. */
  applied: string[];
  hasWorker: boolean;
}

async function startServers(home: StackHome, { report }: StackOptions): Promise<Stack> {
  refuseWindows();
  const record = await openRecord(home.record);
  // Both at once; if one fails the other's start is still seen through, and remembered.
  const [postgres, temporal] = await Promise.allSettled([
    startDatabase(home, record, report),
    startTemporalServer(home, record, report),
  ]);
  if (postgres.status === 'rejected') throw postgres.reason;
  if (temporal.status === 'rejected') throw temporal.reason;
  const { uiPort } = record.now.temporal ?? {};
  const hasOwnTemporal = temporal.value.isOurs;
  return {
    databaseUrls: postgres.value,
    temporal: temporal.value,
    uiUrl: hasOwnTemporal && uiPort ? `http://127.0.0.1:${uiPort}` : null,
    home: home.root,
    logs: home.logs,
    isExternal: !hasOwnTemporal && givenDatabase() !== null,
  };
}

async function startDatabase(
  home: StackHome,
  record: OpenRecord,
  report: StackOptions['report'],
): Promise<DatabaseUrls> {
  const given = givenDatabase();
  if (given) {
    await checkGivenDatabase(given);
    return given;
  }
  const secrets = await stackSecrets(home.secrets);
  const started = await ensurePostgres(home, secrets, record.now.postgres?.port ?? null, report);
  await record.change({ postgres: started.record });
  return started.urls;
}

async function startTemporalServer(
  home: StackHome,
  record: OpenRecord,
  report: StackOptions['report'],
): Promise<TemporalEndpoint> {
  const given = givenTemporal();
  if (given) {
    await checkGivenTemporal(given);
    return given;
  }
  const temporal = await ensureTemporal(home, record.now.temporal, {
    namespace: process.env.TEMPORAL_NAMESPACE || 'default',
    report,
    remember: (now) => record.change({ temporal: now }),
  });
  return localEndpoint(temporal);
}

async function startWorker(home: StackHome, stack: Stack, { report }: StackOptions): Promise<void> {
  const record = await openRecord(home.record);
  const { fingerprintKey } = await stackSecrets(home.secrets);
  const worker = await ensureLocalWorker(stack, record.now.worker, {
    fingerprintKey,
    report,
    remember: (now) => record.change({ worker: now }),
  });
  await record.change({ worker });
}

/** Migrates with the code of the room that owns the schema; loaded here because reading commands do not need it. */
async function migrate(ownerUrl: string): Promise<string[]> {
  const { migrateToLatest } = require('../../db/migrate') as typeof import('../../db/migrate');
  try {
    return (await migrateToLatest(ownerUrl)).applied;
  } catch (error) {
    throw new CliError({
      reason: `the migrations of ${placeOf(ownerUrl)} failed: ${(error as Error).message}`,
      remedy: 'DATABASE_OWNER_URL must name a role that may create tables; the database is as it was before',
      error,
    });
  }
}

function refuseWindows(): void {
  if (process.platform !== 'win32' || (givenDatabase() && givenTemporal())) return;
  throw new CliError({
    reason: 'the local stack runs on Linux and macOS only',
    remedy: 'use WSL 2, or set DATABASE_URL and TEMPORAL_ADDRESS to servers of your own',
  });
}
