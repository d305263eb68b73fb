import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { addTrigrams, createDatabase, prepareRoles } from '../../db/cluster';
import { migrateToLatest } from '../../db/migrate';
import { findPostgresBinaries } from '../../scripts/stack/postgres-binaries';
import {
  initialisePostgres,
  type PostgresCluster,
  postgresUrl,
  SUPERUSER,
  startPostgres,
} from '../../scripts/stack/postgres-server';
import { serverUser } from '../../scripts/stack/system-user';
import { TEMPLATE } from './test-database';
import type { TestStack } from './test-stack';

/** Starts a Postgres for tests in this folder, with a migrated template database to copy from. */
export async function startTestPostgres(folder: string): Promise<TestStack['postgres']> {
  const user = await serverUser();
  const cluster: PostgresCluster = {
    binaries: await findPostgresBinaries(user, folder),
    dataDirectory: join(folder, 'postgres'),
    logFile: join(folder, 'postgres.log'),
    user,
    isDurable: false,
  };
  const superuserPassword = password();
  const passwords = { bench_owner: password(), bench_worker: password(), bench_grader: password() };
  await initialisePostgres(cluster, superuserPassword);
  const { port } = await startPostgres(cluster, null);
  const url = postgresUrl.bind(null, port);
  const superuserUrl = url(SUPERUSER, superuserPassword, 'postgres');
  await prepareRoles(superuserUrl, passwords);
  await createDatabase(superuserUrl, TEMPLATE);
  await addTrigrams(url(SUPERUSER, superuserPassword, TEMPLATE));
  const templateProblem = await migrateToLatest(url('bench_owner', passwords.bench_owner, TEMPLATE)).then(
    () => null,
    (error: unknown) => String(error),
  );
  return { port, superuserPassword, passwords, templateProblem };
}

function password(): string {
  return randomBytes(12).toString('hex');
}
