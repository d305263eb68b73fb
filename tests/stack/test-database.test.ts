import { Client } from 'pg';
import { createTestDatabase } from './test-database';

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

test('two test databases are made side by side, and a table of one is not in the other', async () => {
  const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  await query(one.ownerUrl, 'CREATE TABLE only_here (n integer)');
  expect(await query(one.ownerUrl, "SELECT to_regclass('only_here') IS NULL AS absent")).toEqual([
    { absent: false },
  ]);
  expect(await query(two.ownerUrl, "SELECT to_regclass('only_here') IS NULL AS absent")).toEqual([
    { absent: true },
  ]);
  await Promise.all([one.drop(), two.drop()]);
});

test('a test database has the migrated tables, which the worker role may read but not drop', async () => {
  const database = await createTestDatabase();
  expect(await query(database.workerUrl, 'SELECT count(*)::int AS n FROM bench_runs')).toEqual([{ n: 0 }]);
  await expect(query(database.workerUrl, 'DROP TABLE bench_runs CASCADE')).rejects.toThrow(/must be owner/);
  await database.drop();
});

test('the trigram extension tells β-catenin from γ-catenin: similarity is below 1', async () => {
  const database = await createTestDatabase();
  const [row] = await query(
    database.graderUrl,
    "SELECT similarity('β-catenin', 'γ-catenin')::float8 AS alike, similarity('β', 'β')::float8 AS same",
  );
  expect(row).toMatchObject({ same: 1 });
  expect((row as { alike: number }).alike).toBeLessThan(1);
  await database.drop();
});

test('a dropped database is gone even while someone is connected to it', async () => {
  const database = await createTestDatabase();
  const client = new Client({ connectionString: database.workerUrl });
  client.on('error', () => undefined);
  await client.connect();
  await database.drop();
  await expect(query(database.workerUrl, 'SELECT 1')).rejects.toThrow(/does not exist/);
  await client.end().catch(() => undefined);
});
