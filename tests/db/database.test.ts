import { sql } from 'kysely';
import { type Database, openDatabase } from '../../db/database';
import { createTestDatabase, type TestDatabase } from '../stack/test-database';

let database: TestDatabase;
let db: Database;
let other: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.workerUrl, { maxConnections: 2, applicationName: 'victim' });
  other = openDatabase(database.workerUrl, { maxConnections: 1 });
});
afterAll(async () => {
  await Promise.all([db.destroy(), other.destroy()]);
  await database.drop();
});

async function endVictims(): Promise<void> {
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'victim'`.execute(
    other,
  );
  await new Promise((resolve) => setTimeout(resolve, 100));
}

test('a connection that dies between two statements of a transaction fails that transaction, and not the process', async () => {
  const working = db.transaction().execute(async (tx) => {
    await sql`SELECT 1`.execute(tx);
    await endVictims();
    await sql`SELECT 2`.execute(tx);
  });
  await expect(working).rejects.toThrow();
  const { rows } = await sql<{ n: number }>`SELECT 3 AS n`.execute(db);
  expect(rows).toEqual([{ n: 3 }]);
});

test('idle connections that die are replaced', async () => {
  await Promise.all([sql`SELECT pg_sleep(0.05)`.execute(db), sql`SELECT pg_sleep(0.05)`.execute(db)]);
  await endVictims();
  const { rows } = await sql<{ n: number }>`SELECT 4 AS n`.execute(db);
  expect(rows).toEqual([{ n: 4 }]);
});
