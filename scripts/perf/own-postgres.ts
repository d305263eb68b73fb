import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, prepareRoles } from '../../db/cluster';
import { migrateToLatest } from '../../db/migrate';
import { findPostgresBinaries } from '../stack/postgres-binaries';
import {
  initialisePostgres,
  postgresUrl,
  SUPERUSER,
  startPostgres,
  stopPostgres,
} from '../stack/postgres-server';
import { serverUser } from '../stack/system-user';

/** A Postgres for one program. */
export interface OwnPostgres {
  folder: string;
  /** Of a fresh, migrated database, as bench_owner. */
  ownerUrl: string;
}

/** Starts one in a temporary folder, without Temporal, and ends it after the work, also when that fails. */
export async function withOwnPostgres<T>(work: (postgres: OwnPostgres) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'co-scientist-perf-'));
  await chmod(folder, 0o711); // Postgres may run as another user and must pass through
  const dataDirectory = join(folder, 'postgres');
  try {
    const user = await serverUser();
    const cluster = {
      binaries: await findPostgresBinaries(user, folder),
      dataDirectory,
      logFile: join(folder, 'postgres.log'),
      user,
      isDurable: false,
    };
    const [superuser, owner, worker, grader] = Array.from({ length: 4 }, () =>
      randomBytes(12).toString('hex'),
    );
    await initialisePostgres(cluster, superuser!);
    const { port } = await startPostgres(cluster, null);
    const superuserUrl = postgresUrl(port, SUPERUSER, superuser!, 'postgres');
    await prepareRoles(superuserUrl, { bench_owner: owner!, bench_worker: worker!, bench_grader: grader! });
    await createDatabase(superuserUrl, 'perf');
    const ownerUrl = postgresUrl(port, 'bench_owner', owner!, 'perf');
    await migrateToLatest(ownerUrl);
    return await work({ folder, ownerUrl });
  } finally {
    await stopPostgres(dataDirectory);
    await rm(folder, { recursive: true, force: true });
  }
}
