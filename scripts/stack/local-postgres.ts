import { join } from 'node:path';
import {
  addTrigrams,
  createDatabase,
  prepareRoles,
  serverVersion,
  superuserPasswordStatement,
} from '../../db/cluster';
import { CliError } from '../cli-error';
import { postgresFolder, type StackHome } from './home';
import { findPostgresBinaries } from './postgres-binaries';
import {
  initialisePostgres,
  type PostgresCluster,
  postgresUrl,
  type RunningPostgres,
  runSingleUser,
  SUPERUSER,
  startPostgres,
  stopPostgres,
} from './postgres-server';
import type { StackSecrets } from './secrets';
import type { StackRecord } from './stack-record';
import { serverUser } from './system-user';

const DATABASE = 'co_scientist';

/** Where the three roles connect. */
export interface DatabaseUrls {
  owner: string;
  worker: string;
  grader: string;
}

/** The cluster of a home, as this machine can run it. */
export async function localCluster(home: StackHome): Promise<PostgresCluster> {
  const user = await serverUser();
  const folder = await postgresFolder(home, user);
  return {
    binaries: await findPostgresBinaries(user, folder),
    dataDirectory: dataDirectoryIn(folder),
    logFile: join(home.logs, 'postgres.log'),
    user,
    isDurable: true,
  };
}

/** Where the cluster of a home keeps its data, whether it is there or not. */
export async function localDataDirectory(home: StackHome): Promise<string> {
  return dataDirectoryIn(await postgresFolder(home, await serverUser()));
}

function dataDirectoryIn(folder: string): string {
  return join(folder, 'postgres');
}

/**
 * Makes, starts and prepares the local Postgres, whichever of these is still to do.
 * @param wanted the port it had before
 * @throws CliError when it cannot be made or started
 */
export async function ensurePostgres(
  home: StackHome,
  secrets: StackSecrets,
  wanted: number | null,
  report: (line: string) => void,
): Promise<{ urls: DatabaseUrls; record: NonNullable<StackRecord['postgres']> }> {
  const cluster = await localCluster(home);
  const { repairedLinks } = cluster.binaries;
  if (repairedLinks)
    report(`made ${repairedLinks} library links of Postgres that its install script had left out`);
  const { movedAside } = await initialisePostgres(cluster, secrets.superuser);
  if (movedAside) report(`what stood in its place is no database; it was moved to ${movedAside}`);
  const running = await startWithPassword(cluster, secrets, wanted, report);
  const url = postgresUrl.bind(null, running.port);
  const superuserUrl = url(SUPERUSER, secrets.superuser, 'postgres');
  await prepareRoles(superuserUrl, secrets.roles);
  await createDatabase(superuserUrl, DATABASE);
  const hasTrigrams = await addTrigrams(url(SUPERUSER, secrets.superuser, DATABASE));
  if (!hasTrigrams) report('this Postgres has no pg_trgm extension: similar hypotheses cannot be found');
  return {
    urls: {
      owner: url('bench_owner', secrets.roles.bench_owner, DATABASE),
      worker: url('bench_worker', secrets.roles.bench_worker, DATABASE),
      grader: url('bench_grader', secrets.roles.bench_grader, DATABASE),
    },
    record: {
      dataDirectory: cluster.dataDirectory,
      port: running.port,
      process: running.process,
      user: cluster.user?.name ?? null,
      version: cluster.binaries.version,
    },
  };
}

/** Starts it and sees that our password opens it; a database whose password was lost gets the present one. */
async function startWithPassword(
  cluster: PostgresCluster,
  secrets: StackSecrets,
  wanted: number | null,
  report: (line: string) => void,
): Promise<RunningPostgres> {
  const running = await startPostgres(cluster, wanted);
  const refusal = await refusalOf(running.port, secrets.superuser);
  if (!refusal) return running;
  if (refusal.code !== INVALID_PASSWORD) {
    throw new CliError({
      reason: `Postgres (process ${running.process.pid}) does not answer on port ${running.port}: ${refusal.message}`,
      remedy: `run \`co-scientist down\` and try again; see ${cluster.logFile}`,
      error: refusal,
    });
  }
  report('the password of the local database is lost; it gets a new one');
  await stopPostgres(cluster.dataDirectory);
  await runSingleUser(cluster, superuserPasswordStatement(SUPERUSER, secrets.superuser));
  return startPostgres(cluster, running.port);
}

/** SQLSTATE invalid_password (Postgres manual, appendix A). */
const INVALID_PASSWORD = '28P01';

async function refusalOf(port: number, password: string): Promise<(Error & { code?: string }) | null> {
  return serverVersion(postgresUrl(port, SUPERUSER, password, 'postgres')).then(
    () => null,
    (error: Error & { code?: string }) => error,
  );
}
