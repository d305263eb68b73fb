import { existsSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { type Database, openDatabase } from '../../db/database';
import { testDatabaseOfFile } from '../stack/test-database';

const database = testDatabaseOfFile();
const db = database.open('worker', { maxConnections: 2, applicationName: 'victim' });
const other = database.open('worker', { maxConnections: 1 });

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

test('a connection to a server that only reads, as one does that a failover has made a standby, is left after 1 write', async () => {
  const lone = database.open('worker', { maxConnections: 1 });
  const write = (where: Database) =>
    sql`UPDATE bench_host_slots SET next_at = next_at WHERE host = ${'none'}`.execute(where);
  for (const attempt of [() => write(lone), () => lone.transaction().execute(write)]) {
    await sql`SET default_transaction_read_only = on`.execute(lone);
    await expect(attempt()).rejects.toMatchObject({ code: '25006' });
    await attempt();
  }
});

const SOCKETS = '/proc/net/tcp';

// Linux shows each socket's timer: "02" is that of the keepalive, with what is left of it in hundredths of a second.
(existsSync(SOCKETS) ? test : test.skip)(
  'a connection asks after a server that says nothing within 10 s: one that is gone is not waited for without end',
  async () => {
    const { rows } = await sql<{ port: number }>`SELECT inet_client_port() AS port`.execute(other);
    const port = rows[0]?.port.toString(16).toUpperCase().padStart(4, '0');
    const sockets = [SOCKETS, `${SOCKETS}6`].flatMap((path) => readFileSync(path, 'utf8').split('\n'));
    const ours = sockets
      .map((line) => line.trim().split(/\s+/))
      .find((fields) => fields[1]?.endsWith(`:${port}`));
    const [timer, left] = ours?.[5]?.split(':') ?? [];
    expect(timer).toBe('02');
    expect(Number.parseInt(left ?? '', 16)).toBeLessThanOrEqual(1_000);
  },
);

describe('a statement that came often enough to be prepared', () => {
  const ofTheTable = (where: Database) =>
    sql<{ id: number }>`SELECT * FROM bench_growing WHERE id >= ${1}`.execute(where).then(({ rows }) => rows);
  const owned = async (statement: string): Promise<void> => {
    const owner = openDatabase(database.ownerUrl, { maxConnections: 1 });
    await sql.raw(statement).execute(owner);
    await owner.destroy();
  };

  test('is one, and gives the same rows; one that came seldom is none', async () => {
    const one = openDatabase(database.workerUrl, { maxConnections: 1 });
    await sql`SELECT ${'seldom'}::text AS it`.execute(one);
    for (let run = 1; run <= 8; run += 1) {
      const { rows } = await sql<{ it: number }>`SELECT ${run}::integer AS it`.execute(one);
      expect(rows).toEqual([{ it: run }]);
    }
    const { rows } = await sql<{ statement: string }>`SELECT statement FROM pg_prepared_statements`.execute(
      one,
    );
    expect(rows).toEqual([{ statement: 'SELECT $1::integer AS it' }]);
    await one.destroy();
  });

  test('is planned anew when a migration has given its table a column, on every connection', async () => {
    await owned(
      'CREATE TABLE bench_growing (id integer); INSERT INTO bench_growing VALUES (1); GRANT SELECT ON bench_growing TO bench_worker',
    );
    const connections = await Promise.all(
      [1, 2].map(async () => openDatabase(database.workerUrl, { maxConnections: 1 })),
    );
    for (const db of connections) for (let run = 1; run <= 8; run += 1) await ofTheTable(db);
    await owned("ALTER TABLE bench_growing ADD COLUMN said text DEFAULT 'so'");
    for (const db of connections) expect(await ofTheTable(db)).toEqual([{ id: 1, said: 'so' }]);
    await Promise.all(connections.map((db) => db.destroy()));
    await owned('DROP TABLE bench_growing');
  });

  test('is planned anew where its connection has lost it, and an error of its own is the one told', async () => {
    const one = openDatabase(database.workerUrl, { maxConnections: 1 });
    const half = (of: number) => sql<{ it: number }>`SELECT 10 / ${of}::integer AS it`.execute(one);
    for (let run = 1; run <= 8; run += 1) await half(2);
    await sql`DEALLOCATE ALL`.execute(one);
    expect((await half(2)).rows).toEqual([{ it: 5 }]);
    await sql`DEALLOCATE ALL`.execute(one);
    await expect(half(0)).rejects.toMatchObject({ code: '22012' });
    expect((await half(5)).rows).toEqual([{ it: 2 }]);
    await one.destroy();
  });

  test('is none where it has no values: several statements in one text run however often', async () => {
    for (let run = 1; run <= 10; run += 1) await sql.raw('SELECT 1; SELECT 2').execute(db);
    expect((await sql<{ it: number }>`SELECT 3 AS it`.execute(db)).rows).toEqual([{ it: 3 }]);
  });

  test('fails its transaction as ever where it cannot be carried out, and what follows goes on', async () => {
    const divide = (by: number, where: Database) =>
      sql<{ it: number }>`SELECT ${1}::integer / ${by}::integer AS it`.execute(where);
    for (let run = 1; run <= 8; run += 1) await divide(1, db);
    await expect(db.transaction().execute((tx) => divide(0, tx))).rejects.toMatchObject({ code: '22012' });
    expect((await divide(1, db)).rows).toEqual([{ it: 1 }]);
  });
});
