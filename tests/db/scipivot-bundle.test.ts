import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { findBundles, readBundle } from '../../activities/reporting/bundle/read-bundle';
import { verifyBundles } from '../../activities/reporting/verify/verify-bundle';
import { writeArtifacts } from '../../activities/reporting/write-artifacts';
import { readJson } from '../../activities/strict-json';
import { OFFICIAL_BOOTSTRAP } from '../../core/scipivot/bootstrap';
import { compareSubjects } from '../../core/scipivot/compare';
import { ruleSession, scoreCases, scorePredictions } from '../../core/scipivot/score';
import type { Database } from '../../db/database';
import { importBench } from '../../db/import-bench';
import { openSubjects, readSessions, saveSession } from '../../db/scipivot';
import { saveComparison, saveGrade } from '../../db/scipivot-grades';
import { loadDataSet, type NewDataSet } from '../../db/scipivot-sets';
import { readScipivotSummary } from '../../db/scipivot-summary';
import { filesOf } from '../activities/reporting/files-of';
import { BENCH_ID, madeUp } from '../core/report/made-up';
import { testDatabaseOfFile } from '../stack/test-database';

// A bench with SciΠvot sessions that were graded, exported as the role that runs candidates, and imported elsewhere.
const SUBJECT = 'oak[pipe]';
const KEY = { sha256: 'd'.repeat(64), revision: 'unpinned:never-in-a-bundle' };
const folder = mkdtempSync(join(tmpdir(), 'scipivot-bundle-'));
const [here, there, mismatched] = [testDatabaseOfFile(), testDatabaseOfFile(), testDatabaseOfFile()];
const [owner, worker, grader] = [here.open('owner'), here.open('worker'), here.open('grader')];
const [otherOwner, otherWorker] = [there.open('owner'), there.open('worker')];
beforeAll(prepare);
afterAll(() => rmSync(folder, { recursive: true }));

function dataSet(promptsSha256 = 'c'.repeat(64)): NewDataSet {
  const cases = ['c1', 'c2', 'c3', 'c4'];
  return {
    name: 'small',
    isPinned: false,
    prompts: {
      sha256: promptsSha256,
      bytes: 100,
      sessions: cases.flatMap((caseId) =>
        (['ab', 'ba'] as const).map((order) => ({ caseId, order, prompt: `${caseId} in order ${order}` })),
      ),
    },
    key: {
      ...KEY,
      bytes: 40,
      references: cases.map((caseId, i) => ({ caseId, label: i % 2 === 0 ? 'A' : 'B' })),
    },
  };
}

async function prepare(): Promise<void> {
  await loadDataSet(owner, dataSet());
  const { record, attempts } = await madeUp();
  record.run.plan.scipivot = 'small';
  await importBench(
    owner,
    record,
    attempts.map((attempt) => [attempt]),
  );
  await openSubjects(worker, { benchId: BENCH_ID, role: 'candidate', setName: 'small' }, [
    { subject: SUBJECT, provider: 'sim', model: 'alder', position: 0 },
  ]);
  for (let position = 0; position < 8; position++) {
    const isLost = position === 5;
    await saveSession(worker, {
      bench_id: BENCH_ID,
      subject: SUBJECT,
      position,
      epoch: 0,
      status: isLost ? 'timeout' : 'ok',
      response: isLost ? null : `{"answer":"${position % 3 === 0 ? 'A' : 'B'}"} <b>${position}</b>`,
      reason: isLost ? 'timeout' : null,
      call_key: `${BENCH_ID}/scipivot/${SUBJECT}/${position}`,
    });
  }
  const sessions = await readSessions(worker, { benchId: BENCH_ID, subject: SUBJECT });
  const predictions = sessions.map((session) => ruleSession(session, readJson));
  const { references } = dataSet().key;
  const cases = scoreCases(references, predictions);
  await saveGrade(
    grader,
    { benchId: BENCH_ID, subject: SUBJECT },
    {
      score: scorePredictions(references, predictions, OFFICIAL_BOOTSTRAP),
      cases,
    },
  );
  await saveComparison(
    grader,
    { benchId: BENCH_ID, role: 'candidate' },
    compareSubjects([{ subject: SUBJECT, scores: cases.map(({ score }) => score) }], OFFICIAL_BOOTSTRAP),
  );
}

async function importFrom(root: string, db: Database): Promise<void> {
  const bundle = readBundle(findBundles(root)[0]!, root);
  if (Array.isArray(bundle)) throw new Error(JSON.stringify(bundle));
  await importBench(db, bundle.bench, bundle.attempts());
}

test('the role that runs candidates exports 8 prompts, 8 sessions and the sums, and no reference, hash of one, or case score', async () => {
  await writeArtifacts(worker, BENCH_ID, join(folder, 'here'));
  const files = filesOf(join(folder, 'here'));
  const file = JSON.parse(files[`/${BENCH_ID}/scipivot/${BENCH_ID}.json`]!) as Record<string, unknown[]>;
  expect([file.prompts!.length, file.sessions!.length, file.scores!.length]).toEqual([8, 8, 1]);
  for (const text of Object.values(files)) {
    expect(text).not.toContain(KEY.sha256);
    expect(text).not.toContain(KEY.revision);
    expect(text).not.toMatch(/"(label|references|caseScores|cases)": *\[?\{?"?[AB]"/);
  }
  expect(Object.keys(file)).toEqual([
    ...[
      'format',
      'version',
      'benchId',
      'dataSet',
      'prompts',
      'subjects',
      'sessions',
      'scores',
      'comparisons',
    ],
  ]);
  const { problems, benches } = verifyBundles(join(folder, 'here'));
  expect([problems, benches[0]!.differences]).toEqual([[], []]);
});

test('imported into an empty database it exports to the same bytes, is summed up alike, and can be graded by nobody there', async () => {
  await importFrom(join(folder, 'here'), otherOwner);
  await writeArtifacts(otherWorker, BENCH_ID, join(folder, 'there'));
  expect(filesOf(join(folder, 'there'))).toEqual(filesOf(join(folder, 'here')));
  const plan = { scipivot: 'small' };
  const [one, other] = await Promise.all(
    [worker, otherWorker].map((db) => readScipivotSummary(db, BENCH_ID, plan)),
  );
  expect(other).toEqual(one);
  expect(other?.subjects.map(({ score }) => score?.nCases)).toEqual([4]);
  for (const table of ['keys', 'references', 'case_scores']) {
    const { rows } = await sql`SELECT 1 FROM ${sql.id(`bench_scipivot_${table}`)}`.execute(otherOwner);
    expect(rows).toEqual([]);
  }
});

test('the data set that came as its public half is completed when it is loaded, and then known', async () => {
  expect(await loadDataSet(otherOwner, dataSet('e'.repeat(64)))).toBe('other');
  expect(await loadDataSet(otherOwner, dataSet())).toBe('loaded');
  expect(await loadDataSet(otherOwner, dataSet())).toBe('known');
});

test('where the set’s name stands for other prompts nothing is imported', async () => {
  const db = mismatched.open('owner');
  await loadDataSet(db, dataSet('e'.repeat(64)));
  await expect(importFrom(join(folder, 'here'), db)).rejects.toThrow('small with other prompts');
  expect(await db.selectFrom('bench_runs').select('id').execute()).toEqual([]);
});
