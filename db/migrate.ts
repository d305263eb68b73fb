import { Migrator } from 'kysely';
import { openDatabase } from './database';
import { migrations } from './migrations';
import { grantRoles } from './roles';

/**
 * Brings the schema up to date and hands each role its grants. Run by `co-scientist up` and `co-scientist migrate`
 * only.
 * @param ownerUrl Postgres URL of a role that may create tables
 * @returns names of the migrations that were run now
 * @throws the first migration's error; each migration is its own transaction on success of all
 */
export async function migrateToLatest(ownerUrl: string): Promise<{ applied: string[] }> {
  const db = openDatabase<unknown>(ownerUrl, { maxConnections: 2 });
  try {
    const { error, results = [] } = await openMigrator(db).migrateToLatest();
    if (error) throw error;
    await grantRoles(db);
    return { applied: results.filter((r) => r.status === 'Success').map((r) => r.migrationName) };
  } finally {
    await db.destroy();
  }
}

/**
 * Names of the migrations that this code knows and the database lacks: a worker refuses to start on any.
 */
export async function pendingMigrations(url: string): Promise<string[]> {
  const db = openDatabase<unknown>(url, { maxConnections: 1 });
  try {
    const known = await openMigrator(db).getMigrations();
    return known.filter((m) => m.executedAt === undefined).map((m) => m.name);
  } finally {
    await db.destroy();
  }
}

function openMigrator(db: ReturnType<typeof openDatabase<unknown>>): Migrator {
  return new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableName: 'bench_migrations',
    migrationLockTableName: 'bench_migrations_lock',
  });
}
