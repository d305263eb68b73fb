import { appendFile, chown, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from '../cli-error';
import { freePort } from './free-port';
import { openLog } from './log-file';
import { commandLine, endProcess, identify, isTaken, type OwnProcess } from './own-process';
import type { PostgresBinaries } from './postgres-binaries';
import { runProgram } from './run-program';
import type { SystemUser } from './system-user';

export const SUPERUSER = 'postgres';

/** One database cluster of ours and how it is run. */
export interface PostgresCluster {
  binaries: PostgresBinaries;
  dataDirectory: string;
  logFile: string;
  /** Whom the server runs as; null: the current user. */
  user: SystemUser | null;
  /** False for tests only: a crash of the machine may then lose everything. */
  isDurable: boolean;
}

export interface RunningPostgres {
  process: OwnProcess;
  port: number;
}

/** A URL of a local server, which never speaks TLS, whatever PGSSLMODE says. */
export function postgresUrl(port: number, role: string, password: string, database: string): string {
  return `postgres://${role}:${password}@127.0.0.1:${port}/${database}?sslmode=disable`;
}

/**
 * Makes the cluster's data directory unless it is there. It is built beside its place and moved in when
 * complete, so an initdb that is killed midway leaves nothing that looks like a cluster. A directory that
 * stands in its place and is no cluster is moved aside, never deleted.
 * @returns the name of what was moved aside, or null
 */
export async function initialisePostgres(
  cluster: PostgresCluster,
  superuserPassword: string,
): Promise<{ movedAside: string | null }> {
  const { dataDirectory, user } = cluster;
  const workshop = `${dataDirectory}.partial`;
  // An initdb whose command was killed may still be writing there.
  await rm(workshop, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  if (await exists(join(dataDirectory, 'global', 'pg_control'))) return { movedAside: null };
  const movedAside = (await exists(dataDirectory)) ? `${dataDirectory}.broken-${Date.now()}` : null;
  if (movedAside) await rename(dataDirectory, movedAside);
  const partial = join(workshop, 'data');
  const passwordFile = join(workshop, 'password');
  await mkdir(partial, { recursive: true, mode: 0o700 });
  await writeFile(passwordFile, superuserPassword, { mode: 0o600 });
  if (user)
    await Promise.all([workshop, partial, passwordFile].map((path) => chown(path, user.uid, user.gid)));
  await runInitdb(cluster, partial, passwordFile);
  await appendFile(join(partial, 'postgresql.conf'), "\ninclude_if_exists 'co-scientist.conf'\n");
  await rename(partial, dataDirectory);
  await rm(workshop, { recursive: true, force: true });
  return { movedAside };
}

/**
 * UTF-8, ordered by code point on every machine. The C library's character classes are wanted as well: without
 * them pg_trgm takes no letter beyond ASCII for a letter. Where it has no such locale, plain C must do.
 */
async function runInitdb(cluster: PostgresCluster, directory: string, passwordFile: string): Promise<void> {
  const characterClasses = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';
  const complaints: string[] = [];
  for (const ctype of [characterClasses, 'C']) {
    const answer = await runProgram(
      cluster.binaries.initdb,
      [
        ...['-D', directory, '-U', SUPERUSER, '-A', 'scram-sha-256', '--pwfile', passwordFile, '-E', 'UTF8'],
        ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', `--lc-ctype=${ctype}`],
        ...(cluster.isDurable ? [] : ['--no-sync']),
      ],
      { timeoutMs: 120_000, user: cluster.user, env: plainEnvironment() },
    );
    if (answer.exitCode === 0) return;
    complaints.push(answer.stderr.trim().split('\n')[0] || answer.problem || `exit code ${answer.exitCode}`);
  }
  throw new CliError({
    reason: `initdb could not make a database in ${directory}: ${complaints.at(-1)}`,
    remedy:
      'free some disk, set CO_SCIENTIST_HOME to another folder, or set DATABASE_URL to a Postgres of your own',
  });
}

/**
 * Starts the server on 127.0.0.1 and waits until it takes connections. One that already runs on this data
 * directory is kept.
 * @param wanted a port to take when it is free; null: any
 * @throws CliError naming the log when it does not start
 */
export async function startPostgres(
  cluster: PostgresCluster,
  wanted: number | null,
): Promise<RunningPostgres> {
  const running = await runningPostgres(cluster.dataDirectory);
  if (running) return running;
  await dropMisleadingPidFile(cluster.dataDirectory);
  for (let attempt = 1; ; attempt++) {
    const port = await freePort(attempt === 1 ? wanted : null);
    await writeFile(join(cluster.dataDirectory, 'co-scientist.conf'), settings(cluster, port));
    const { started, said } = await tryStart(cluster);
    if (started) return started;
    if (attempt < 20 && said.some((line) => PASSING_TROUBLE.test(line))) {
      await sleep(250);
      continue;
    }
    const worst =
      said.findLast((line) => /FATAL|PANIC|could not/.test(line)) ?? said.at(-1) ?? 'it said nothing';
    throw new CliError({
      reason: `Postgres did not start on port ${port}: ${worst}`,
      remedy: `see ${cluster.logFile}`,
    });
  }
}

/**
 * After a kill -9 the server's children need a moment to notice, and hold its shared memory until then; and a port
 * that was free a moment ago may be taken by now.
 */
const PASSING_TROUBLE = /pre-existing shared memory block|Address already in use/;

/**
 * Ends the server if one runs on this data directory, and closes the connections to it; what `pg_ctl stop -m fast`
 * does, but to a process that was seen to be this server.
 * @returns whether one was running
 */
export async function stopPostgres(dataDirectory: string): Promise<boolean> {
  const running = await runningPostgres(dataDirectory);
  return endProcess(running?.process, 30_000, ['SIGINT', 'SIGQUIT', 'SIGKILL']);
}

/** The server that runs on this data directory; null when none does, whatever its pid file says. */
export async function runningPostgres(dataDirectory: string): Promise<RunningPostgres | null> {
  const text = await readFile(join(dataDirectory, 'postmaster.pid'), 'utf8').catch(() => '');
  const [pid, , , port] = text.split('\n').map((line) => Number(line));
  if (!pid || !port) return null;
  const own = await identify(pid);
  const command = own && (await commandLine(pid));
  return own && `${command} `.includes(` -D ${dataDirectory} `) ? { process: own, port } : null;
}

/**
 * Postgres refuses to start while the number in its pid file is taken, be it by another program or by its own
 * remains that nobody has collected (a container whose first process does not). Whether old children still hold
 * its memory it sees without that file.
 */
async function dropMisleadingPidFile(dataDirectory: string): Promise<void> {
  const file = join(dataDirectory, 'postmaster.pid');
  const pid = Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10);
  if (pid && isTaken(pid)) await rm(file, { force: true });
}

function settings(cluster: PostgresCluster, port: number): string {
  const lines = [
    `port = ${port}`,
    "listen_addresses = '127.0.0.1'",
    "unix_socket_directories = ''",
    'max_connections = 200',
    "log_line_prefix = '%m [%p] '",
  ];
  if (!cluster.isDurable) lines.push('fsync = off', 'synchronous_commit = off', 'full_page_writes = off');
  return `# Written at every start.\n${lines.join('\n')}\n`;
}

async function tryStart(
  cluster: PostgresCluster,
): Promise<{ started: RunningPostgres | null; said: string[] }> {
  const log = await openLog(cluster.logFile);
  try {
    // No -l: the server inherits the open log, which it could perhaps not open as its own user.
    const args = ['start', '-D', cluster.dataDirectory, '-w', '-t', '60', '-s'];
    const answer = await runProgram(cluster.binaries.pgCtl, args, {
      timeoutMs: 70_000,
      user: cluster.user,
      env: plainEnvironment(),
      outputFd: log.fd,
    });
    const started = answer.exitCode === 0 ? await runningPostgres(cluster.dataDirectory) : null;
    return { started, said: await log.newLines() };
  } finally {
    await log.close();
  }
}

/**
 * Gives the superuser a new password while the server is down, in Postgres' single-user mode.
 * @param statement the ALTER ROLE that does it
 */
export async function runSingleUser(cluster: PostgresCluster, statement: string): Promise<void> {
  const args = ['--single', '-D', cluster.dataDirectory, 'postgres'];
  await runProgram(cluster.binaries.postgres, args, {
    timeoutMs: 30_000,
    user: cluster.user,
    env: plainEnvironment(),
    input: `${statement}\n`,
  });
}

/** The server gets no key of the user's, and no PGDATA or LANG that would change what it does. */
function plainEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, TZ: 'UTC', LC_ALL: '' };
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}
