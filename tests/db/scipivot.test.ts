import { sql } from 'kysely';
import { compareSubjects } from '../../core/scipivot/compare';
import { scorePredictions } from '../../core/scipivot/score';
import { createDatabase, dropDatabase } from '../../db/cluster';
import { openDatabase } from '../../db/database';
import { migrateToLatest } from '../../db/migrate';
import { SECRET_TABLES } from '../../db/roles';
import { openSubjects, readOpenPositions, readSessions, saveSession } from '../../db/scipivot';
import { readKeyAccess, roleStatements } from '../../db/scipivot-access';
import { readGrades, saveComparison, saveGrade } from '../../db/scipivot-grades';
import { loadDataSet, type NewDataSet, readAnswerKey, readDataSets } from '../../db/scipivot-sets';
import type { SessionsTable } from '../../db/scipivot-tables';
import { postgresUrl, SUPERUSER } from '../../scripts/stack/postgres-server';
import { testDatabaseOfFile } from '../stack/test-database';
import { testStack } from '../stack/test-stack';
import { seedBench } from './seed-bench';

const database = testDatabaseOfFile();
const owner = database.open('owner', { maxConnections: 2 });
const worker = database.open('worker', { maxConnections: 2 });
const grader = database.open('grader', { maxConnections: 2 });
let benchId: string;
beforeAll(async () => {
  await loadDataSet(owner, dataSet());
  benchId = await seedBench(worker);
  await openSubjects(worker, { benchId, role: 'candidate', setName: 'small' }, [
    { subject: 'alpha', provider: 'sim', model: 'elm', position: 0 },
  ]);
});

function dataSet(changes: Partial<NewDataSet> = {}): NewDataSet {
  const cases = ['c1', 'c2', 'c3'];
  const sessions = cases.flatMap((caseId) =>
    (['ab', 'ba'] as const).map((order) => ({ caseId, order, prompt: `${caseId} ${order}` })),
  );
  return {
    name: 'small',
    isPinned: false,
    prompts: { sha256: 'p'.repeat(64), bytes: 1, sessions },
    key: {
      sha256: 'r'.repeat(64),
      bytes: 2,
      revision: 'unpinned:x',
      references: cases.map((caseId, i) => ({ caseId, label: i === 1 ? 'B' : 'A' })),
    },
    ...changes,
  };
}

/** SQLSTATE insufficient_privilege (Postgres manual, appendix A). */
const REFUSED = expect.objectContaining({ code: '42501' });

describe('the answer key', () => {
  test('is in 3 tables that bench_worker may neither read nor write', async () => {
    expect(SECRET_TABLES).toEqual([
      'bench_scipivot_keys',
      'bench_scipivot_references',
      'bench_scipivot_case_scores',
    ]);
    for (const table of SECRET_TABLES) {
      const name = sql.id(table);
      await expect(sql`SELECT count(*) FROM ${name}`.execute(worker)).rejects.toEqual(REFUSED);
      await expect(sql`SELECT 1 FROM ${name} LIMIT 0`.execute(worker)).rejects.toEqual(REFUSED);
      await expect(sql`DELETE FROM ${name}`.execute(worker)).rejects.toEqual(REFUSED);
      await expect(sql`COPY ${name} TO STDOUT`.execute(worker)).rejects.toEqual(REFUSED);
    }
  });

  test('is the grader’s to read and not to change, and no statistics of it show to the worker', async () => {
    const key = await readAnswerKey(grader, 'small');
    expect(key?.references.map(({ label }) => label)).toEqual(['A', 'B', 'A']);
    await expect(sql`UPDATE bench_scipivot_references SET label = 'A'`.execute(grader)).rejects.toEqual(
      REFUSED,
    );
    await sql`ANALYZE bench_scipivot_references`.execute(owner);
    const statistics = sql<{ n: number }>`
      SELECT count(*)::int AS n FROM pg_stats WHERE tablename = 'bench_scipivot_references'`;
    expect((await statistics.execute(owner)).rows[0]?.n).toBeGreaterThan(0);
    expect((await statistics.execute(worker)).rows).toEqual([{ n: 0 }]);
  });

  test('cannot be reached by becoming somebody else: bench_worker may set no other role', async () => {
    for (const role of ['bench_grader', 'bench_owner']) {
      await expect(sql`SET ROLE ${sql.id(role)}`.execute(worker)).rejects.toEqual(REFUSED);
    }
    await expect(
      sql`CREATE VIEW peep AS SELECT * FROM bench_scipivot_references`.execute(worker),
    ).rejects.toEqual(REFUSED);
  });

  test('is told apart by role: the worker may not read it, the grader and the owner may', async () => {
    expect(await readKeyAccess(worker)).toEqual({ role: 'bench_worker', readsAny: false, readsAll: false });
    expect(await readKeyAccess(grader)).toEqual({ role: 'bench_grader', readsAny: true, readsAll: true });
    expect(await readKeyAccess(owner)).toEqual({ role: 'bench_owner', readsAny: true, readsAll: true });
  });

  test.each([
    'GRANT SELECT ON bench_scipivot_references TO bench_worker',
    'GRANT SELECT ON bench_scipivot_case_scores TO PUBLIC',
    'GRANT SELECT (label) ON bench_scipivot_references TO bench_worker',
  ])('is seen to be open after %s, and is closed again by the migrations', async (grant) => {
    await sql.raw(grant).execute(owner);
    expect((await readKeyAccess(worker)).readsAny).toBe(true);
    await migrateToLatest(database.ownerUrl);
    expect((await readKeyAccess(worker)).readsAny).toBe(false);
  });

  test('the SQL that parts the roles names all three and their URLs', () => {
    const text = roleStatements().join('\n');
    for (const word of [
      'bench_owner',
      'bench_worker',
      'bench_grader',
      'DATABASE_GRADER_URL',
      'co-scientist migrate',
    ]) {
      expect(text).toContain(word);
    }
  });
});

describe('the SQL that parts the roles, run in a database that one role has made', () => {
  const { port, superuserPassword, passwords } = testStack().postgres;
  const name = `test_parted_${process.pid}`;
  const superuserUrl = (at: string) => postgresUrl(port, SUPERUSER, superuserPassword, at);
  const ownerUrl = postgresUrl(port, 'bench_owner', passwords.bench_owner, name);
  beforeAll(async () => {
    await createDatabase(superuserUrl('postgres'), name);
    await migrateToLatest(superuserUrl(name));
    const superuser = openDatabase(superuserUrl(name), { maxConnections: 1 });
    // The test's server has the roles.
    const statements = roleStatements().filter((line) => !line.startsWith('CREATE ROLE'));
    await sql.raw(statements.join('\n')).execute(superuser);
    await superuser.destroy();
  });
  afterAll(() => dropDatabase(superuserUrl('postgres'), name));

  test('lets the owner change all that migrations made: every table, and both functions of the ledger’s triggers', async () => {
    expect(await migrateToLatest(ownerUrl)).toEqual({ applied: [] });
    const db = openDatabase(ownerUrl, { maxConnections: 1 });
    const functions = await sql<{ name: string; definition: string }>`
      SELECT proname AS name, pg_get_functiondef(oid) AS definition FROM pg_proc
       WHERE pronamespace = 'public'::regnamespace AND proname LIKE 'bench%' ORDER BY 1`.execute(db);
    // As a later migration would: CREATE OR REPLACE.
    for (const { definition } of functions.rows) await sql.raw(definition).execute(db);
    expect(functions.rows.map((row) => row.name)).toEqual(['bench_hold_charge', 'bench_lock_scopes']);
    const tables = await sql<{ name: string }>`
      SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tableowner <> 'bench_owner'`.execute(
      db,
    );
    expect(tables.rows).toEqual([]);
    await db.destroy();
  });
});

describe('a data set', () => {
  test('loaded again with the same content is known; with another under its name it is refused and nothing changes', async () => {
    expect(await loadDataSet(owner, dataSet())).toBe('known');
    const { prompts, key } = dataSet();
    expect(await loadDataSet(owner, dataSet({ prompts: { ...prompts, sha256: 'q' } }))).toBe('other');
    expect(await loadDataSet(owner, dataSet({ key: { ...key, sha256: 's' } }))).toBe('other');
    expect(await readDataSets(worker)).toMatchObject([{ name: 'small', nCases: 3, isPinned: false }]);
  });

  test('that breaks off midway leaves nothing behind', async () => {
    const { key } = dataSet();
    const twice = { ...key, references: [...key.references, key.references[0]!] };
    await expect(loadDataSet(owner, dataSet({ name: 'broken', key: twice }))).rejects.toThrow(
      /duplicate key/,
    );
    expect((await readDataSets(owner)).map(({ name }) => name)).toEqual(['small']);
  });

  test('is nobody’s to change: neither worker nor grader may write prompts', async () => {
    for (const db of [worker, grader]) {
      await expect(sql`UPDATE bench_scipivot_prompts SET prompt = ''`.execute(db)).rejects.toEqual(REFUSED);
    }
  });
});

describe('sessions', () => {
  const session = (changes: Partial<SessionsTable>): SessionsTable => ({
    bench_id: benchId,
    subject: 'alpha',
    position: 0,
    epoch: 1,
    status: 'ok',
    response: 'A',
    reason: null,
    call_key: 'k',
    ...changes,
  });
  const open = (epoch: number, afterPosition = -1, limit = 100) =>
    readOpenPositions(worker, { benchId, epoch, subject: 'alpha', afterPosition, limit });

  test('are open in the order of the prompts, after a place and up to a limit: 6, then 2 after the fourth', async () => {
    expect(await open(1)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(await open(1, 3)).toEqual([4, 5]);
    expect(await open(1, -1, 2)).toEqual([0, 1]);
  });

  test('that ended are not held again; a fault of transport is, but not in its own epoch', async () => {
    await saveSession(worker, session({ position: 0, response: 'no letter at all' }));
    await saveSession(worker, session({ position: 1, status: 'refused', response: null }));
    await saveSession(worker, session({ position: 2, status: 'timeout', response: null }));
    await saveSession(worker, session({ position: 3, status: 'provider_error', response: null }));
    expect(await open(1)).toEqual([4, 5]);
    expect(await open(2)).toEqual([2, 3, 4, 5]);
  });

  test('keep what a model answered; a fault of transport gives way to a later answer, not to one of an older epoch', async () => {
    await saveSession(worker, session({ position: 0, epoch: 2, response: 'B' }));
    await saveSession(worker, session({ position: 1, epoch: 2 }));
    await saveSession(worker, session({ position: 2, epoch: 2, response: 'B' }));
    await saveSession(worker, session({ position: 3, epoch: 0, response: 'B' }));
    expect(await readSessions(grader, { benchId, subject: 'alpha' })).toEqual([
      { caseId: 'c1', order: 'ab', status: 'ok', response: 'no letter at all' },
      { caseId: 'c1', order: 'ba', status: 'refused', response: null },
      { caseId: 'c2', order: 'ab', status: 'ok', response: 'B' },
      { caseId: 'c2', order: 'ba', status: 'provider_error', response: null },
    ]);
  });
});

describe('grades', () => {
  const settings = { resamples: 20, seed: 1, level: 0.9 };
  const references = [{ caseId: 'c1', label: 'A' as const }];
  const score = scorePredictions(references, [], settings);

  test('are the grader’s to write, a later one replacing an earlier, and the worker reads the sums alone', async () => {
    const asked = { benchId, subject: 'alpha' };
    await saveGrade(grader, asked, { score: { ...score, mean: 0.25 }, cases: [{ caseId: 'c1', score: 1 }] });
    await saveGrade(grader, asked, { score, cases: [{ caseId: 'c1', score: 0 }] });
    const comparison = compareSubjects([], settings);
    await saveComparison(grader, { benchId, role: 'candidate' }, comparison);
    const grades = await readGrades(worker, benchId);
    expect(JSON.stringify(grades.scores.get('alpha'))).toBe(JSON.stringify(score));
    expect(grades.comparisons.get('candidate')).toEqual(comparison);
    const { rows } = await sql<{ score: number }>`SELECT score FROM bench_scipivot_case_scores`.execute(
      grader,
    );
    expect(rows).toEqual([{ score: 0 }]);
  });

  test('cannot be written by the worker', async () => {
    const grade = { score, cases: [{ caseId: 'c1', score: 1 }] };
    await expect(saveGrade(worker, { benchId, subject: 'alpha' }, grade)).rejects.toEqual(REFUSED);
  });
});
