import { randomBytes, randomInt } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { addTrigrams, createDatabase, prepareRoles } from '../../db/cluster';
import { migrateToLatest } from '../../db/migrate';
import { isPortFree } from '../stack/free-port';
import { obtainTemporalCli } from '../stack/obtain-temporal-cli';
import { endProcess } from '../stack/own-process';
import { findPostgresBinaries } from '../stack/postgres-binaries';
import {
  initialisePostgres,
  type PostgresCluster,
  postgresUrl,
  runningPostgres,
  SUPERUSER,
  startPostgres,
  stopPostgres,
} from '../stack/postgres-server';
import { serverUser } from '../stack/system-user';
import { type RunningTemporal, startTemporal } from '../stack/temporal-server';

/** Where a worker finds its servers: a database of its own, and a Temporal. */
export interface Site {
  /** As role bench_worker. */
  databaseUrl: string;
  graderUrl: string;
  temporalAddress: string;
  namespace: string;
}

/** A Postgres and a Temporal of our own, to be broken at will. They keep their ports when started anew. */
export interface Lab {
  folder: string;
  temporalAddress: string;
  namespace: string;
  /** A fresh, migrated database beside the lab's Temporal. */
  createSite(): Promise<Site>;
  /** `kill`: with kill -9; `stop`: as an administrator would, connections cut. Returns when it serves again. */
  restartPostgres(how: 'stop' | 'kill'): Promise<void>;
  restartTemporal(how: 'stop' | 'kill'): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts both in a temporary folder. Postgres keeps what it has committed through any kill, Temporal has a file:
 * what is lost is lost by the bench.
 */
export async function openLab(report: (line: string) => void): Promise<Lab> {
  const folder = await mkdtemp(join(tmpdir(), 'co-scientist-chaos-'));
  await chmod(folder, 0o711); // Postgres may run as another user and must pass through
  const dataDirectory = join(folder, 'postgres');
  let temporal: RunningTemporal | null = null;
  const close = async (): Promise<void> => {
    await Promise.all([stopPostgres(dataDirectory), endProcess(temporal?.process, 10_000)]);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const [postgres, executable] = await Promise.all([
      startLabPostgres(folder, dataDirectory),
      obtainTemporalCli(report).then((cli) => cli.executable),
    ]);
    const startServer = async (port: number | undefined): Promise<RunningTemporal> => {
      temporal = await startTemporal({
        executable,
        dbFile: join(folder, 'temporal.db'),
        logFile: join(folder, 'temporal.log'),
        namespace: 'default',
        wanted: { grpc: [port], ui: null },
        cwd: folder,
      });
      return temporal;
    };
    const server = await startServer(await steadyPort());
    const place = { temporalAddress: `127.0.0.1:${server.port}`, namespace: 'default' };
    return {
      folder,
      ...place,
      createSite: async () => ({ ...(await postgres.createDatabase()), ...place }),
      restartPostgres: postgres.restart,
      async restartTemporal(how) {
        await endProcess(temporal?.process, 10_000, how === 'kill' ? ['SIGKILL'] : ['SIGTERM', 'SIGKILL']);
        await untilPortFree(server.port);
        const { port } = await startServer(server.port);
        if (port !== server.port) throw new Error(`Temporal came back on port ${port}, not ${server.port}`);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startLabPostgres(folder: string, dataDirectory: string) {
  const user = await serverUser();
  const cluster: PostgresCluster = {
    binaries: await findPostgresBinaries(user, folder),
    dataDirectory,
    logFile: join(folder, 'postgres.log'),
    user,
    isDurable: true,
  };
  const superuserPassword = password();
  const passwords = { bench_owner: password(), bench_worker: password(), bench_grader: password() };
  await initialisePostgres(cluster, superuserPassword);
  const { port } = await startPostgres(cluster, await steadyPort());
  const superuserUrl = (database: string) => postgresUrl(port, SUPERUSER, superuserPassword, database);
  await prepareRoles(superuserUrl('postgres'), passwords);
  return {
    async createDatabase() {
      const name = `lab_${randomBytes(6).toString('hex')}`;
      await createDatabase(superuserUrl('postgres'), name);
      await addTrigrams(superuserUrl(name));
      await migrateToLatest(postgresUrl(port, 'bench_owner', passwords.bench_owner, name));
      return {
        databaseUrl: postgresUrl(port, 'bench_worker', passwords.bench_worker, name),
        graderUrl: postgresUrl(port, 'bench_grader', passwords.bench_grader, name),
      };
    },
    async restart(how: 'stop' | 'kill') {
      const running = await runningPostgres(dataDirectory);
      await endProcess(running?.process, 30_000, how === 'kill' ? ['SIGKILL'] : ['SIGINT', 'SIGKILL']);
      await untilPortFree(port);
      const back = await startPostgres(cluster, port);
      if (back.port !== port) throw new Error(`Postgres came back on port ${back.port}, not ${port}`);
    },
  };
}

/**
 * A port that stays free while its server is away: below those that the system gives to outgoing connections, of which
 * a worker that asks for its server makes many.
 */
async function steadyPort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if (await isPortFree(port)) return port;
  }
}

/** What a killed server has left in the system may hold its port for a moment. */
async function untilPortFree(port: number): Promise<void> {
  const until = Date.now() + 60_000;
  while (!(await isPortFree(port))) {
    if (Date.now() > until) throw new Error(`port ${port} is still taken`);
    await sleep(50);
  }
}

function password(): string {
  return randomBytes(12).toString('hex');
}
