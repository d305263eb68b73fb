import { randomBytes } from 'node:crypto';
import { createDatabase, dropDatabase } from '../../db/cluster';
import { type Database, openDatabase } from '../../db/database';
import { postgresUrl, SUPERUSER } from '../../scripts/stack/postgres-server';
import { testStack } from './test-stack';

export const TEMPLATE = 'bench_template';

/** A database of its own, migrated, with the bench's three roles. */
export interface TestDatabase {
  ownerUrl: string;
  workerUrl: string;
  graderUrl: string;
  /** As the product is told of a database of its user's. */
  env: Record<'DATABASE_URL' | 'DATABASE_OWNER_URL' | 'DATABASE_GRADER_URL', string>;
  /** Drops it, whoever is still connected. */
  drop(): Promise<void>;
}

/**
 * Makes a fresh database, copied from one that was migrated once for the whole run (about 50 ms).
 * @param copied one to copy as it is, in place of an empty one: nobody may be connected to it
 */
export async function createTestDatabase(copied?: TestDatabase): Promise<TestDatabase> {
  const database = planDatabase();
  await database.create(copied);
  return database;
}

/**
 * A database of the test file's own: there before the file's first test, dropped after its last.
 * @example
 * const { open } = testDatabaseOfFile();
 * const db = open('worker');
 */
export function testDatabaseOfFile(): TestDatabase & {
  /** Connects with a role when it is first asked; closed after the last test. */
  open(role: 'owner' | 'worker' | 'grader', options?: Parameters<typeof openDatabase>[1]): Database;
} {
  const database = planDatabase();
  const opened: Database[] = [];
  beforeAll(() => database.create(), 60_000);
  afterAll(async () => {
    await Promise.all(opened.map((db) => db.destroy()));
    await database.drop();
  });
  return {
    ...database,
    open: (role, options) => {
      const db = openDatabase(database[`${role}Url`], options);
      opened.push(db);
      return db;
    },
  };
}

/** Where a database will be that has not been made yet. */
function planDatabase(): TestDatabase & { create(copied?: TestDatabase): Promise<void> } {
  const { port, superuserPassword, passwords, templateProblem } = testStack().postgres;
  if (templateProblem) throw new Error(`the migrations failed: ${templateProblem}`);
  const name = `test_${randomBytes(8).toString('hex')}`;
  const url = postgresUrl.bind(null, port);
  const superuserUrl = url(SUPERUSER, superuserPassword, 'postgres');
  const ownerUrl = url('bench_owner', passwords.bench_owner, name);
  const workerUrl = url('bench_worker', passwords.bench_worker, name);
  const graderUrl = url('bench_grader', passwords.bench_grader, name);
  return {
    ...{ ownerUrl, workerUrl, graderUrl },
    env: { DATABASE_URL: workerUrl, DATABASE_OWNER_URL: ownerUrl, DATABASE_GRADER_URL: graderUrl },
    create: (copied) =>
      createDatabase(superuserUrl, name, copied ? new URL(copied.ownerUrl).pathname.slice(1) : TEMPLATE),
    drop: () => dropDatabase(superuserUrl, name),
  };
}
