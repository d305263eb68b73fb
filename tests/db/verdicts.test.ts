import { sql } from 'kysely';
import type { MatchOutcome } from '../../core/outcome';
import { BenchTakenOver } from '../../db/benches';
import { type Database, openDatabase } from '../../db/database';
import { saveSchedule } from '../../db/matches';
import { takeOverBench } from '../../db/resume';
import { type StoredVerdict, saveVerdict } from '../../db/verdicts';
import { testDatabaseOfFile } from '../stack/test-database';
import { countStatements } from './count-statements';
import { seedBench } from './seed-bench';
import { untilWaiting } from './until-waiting';

const database = testDatabaseOfFile();
const db = database.open('worker');

const BOTH = {
  judges: ['sim:judge'],
  asked: [
    { judge: 0, order: 'ab' },
    { judge: 0, order: 'ba' },
  ],
} as const;

async function benchOfMatches(count: number): Promise<string> {
  const benchId = await seedBench(db);
  const [candA, candB] = [`${benchId}/alpha`, `${benchId}/beta`];
  const sides = { candA, candB, hypA: `${candA}/1`, hypB: `${candB}/1`, oneOrder: null, repeats: 0 };
  await saveSchedule(
    db,
    benchId,
    Array.from({ length: count }, (_, index) => ({ index, ...sides })),
  );
  return benchId;
}

/** Of match i: the first order names the first shown, the second as `i` says. */
function verdict(benchId: string, i: number, order: 'ab' | 'ba'): StoredVerdict {
  const winner = order === 'ab' ? 'first' : (['second', 'tie', 'first'] as const)[i % 3]!;
  const matchId = `${benchId}/m${i}`;
  return {
    ...{ matchId, order, judge: 'sim:judge', repeat: 0, benchId, epoch: 1 },
    callKey: `${matchId}/${order}/sim:judge/1`,
    verdict: { state: 'valid', winner, rationale: `${i} ${order}`, scores: [] },
  };
}

async function readMatches(benchId: string) {
  return db
    .selectFrom('bench_matches')
    .select(['index', 'state', 'winner', 'score_a', 'agreement', 'rationale'])
    .where('bench_id', '=', benchId)
    .orderBy('index')
    .execute();
}

test('30 verdicts at once give 15 matches the outcomes they have when they come one by one, each told once', async () => {
  const [atOnce, oneByOne] = [await benchOfMatches(15), await benchOfMatches(15)];
  const all = (benchId: string) =>
    Array.from({ length: 15 }, (_, i) => [verdict(benchId, i, 'ab'), verdict(benchId, i, 'ba')]).flat();
  const told = await Promise.all(all(atOnce).map((row) => saveVerdict(db, row, BOTH)));
  for (const row of all(oneByOne)) await saveVerdict(db, row, BOTH);
  expect(told.filter((state) => state === 'played')).toHaveLength(15);
  const matches = await readMatches(atOnce);
  expect(matches).toEqual(await readMatches(oneByOne));
  // Both orders name a; one names a and one says tie; both name whom they were shown first.
  expect(matches.slice(0, 3)).toMatchObject([
    { state: 'played', winner: 'a', score_a: 1, agreement: 'agreed', rationale: '0 ab\n\n0 ba' },
    { state: 'played', winner: 'a', score_a: 0.75, agreement: 'half_flip' },
    { state: 'played', winner: 'tie', score_a: 0.5, agreement: 'flip' },
  ]);
});

test('two workers that give a match its last two verdicts at once: it has one outcome, told to one of them', async () => {
  const benchId = await benchOfMatches(20);
  const other = openDatabase(database.workerUrl);
  try {
    const told = await Promise.all(
      Array.from({ length: 20 }, (_, i) => [
        saveVerdict(db, verdict(benchId, i, 'ab'), BOTH),
        saveVerdict(other, verdict(benchId, i, 'ba'), BOTH),
      ]).flat(),
    );
    expect(told.filter((state) => state !== null)).toHaveLength(20);
    expect((await readMatches(benchId)).every(({ state }) => state === 'played')).toBe(true);
  } finally {
    await other.destroy();
  }
});

test('two workers that save the same verdicts in opposite orders at once do not stand in each other’s way', async () => {
  const benchId = await benchOfMatches(3);
  const other = openDatabase(database.workerUrl);
  const one = { judges: ['sim:judge'], asked: [{ judge: 0, order: 'ab' }] } as const;
  const save = (by: Database, i: number) => saveVerdict(by, verdict(benchId, i, 'ab'), one);
  const saved = await db.transaction().execute(async (tx) => {
    await tx
      .selectFrom('bench_matches')
      .select('id')
      .where('id', '=', `${benchId}/m1`)
      .forNoKeyUpdate()
      .execute();
    const first = [0, 1, 2].map((i) => save(db, i));
    await untilWaiting(other, 1);
    const second = [2, 1, 0].map((i) => save(other, i));
    await untilWaiting(other, 2);
    return { ends: Promise.allSettled([...first, ...second]) };
  });
  const told = (await saved.ends).map((end) => (end.status === 'fulfilled' ? end.value : end.reason));
  expect(told.filter((state) => state === 'played')).toHaveLength(3);
  expect(told.filter((state) => state === null)).toHaveLength(3);
  const { rows } = await sql<{ n: number }>`
    SELECT deadlocks AS n FROM pg_stat_database WHERE datname = current_database()`.execute(db);
  expect(rows).toEqual([{ n: 0 }]);
  await other.destroy();
});

test('a verdict of a match that is not there fails alone, the others at its side are kept', async () => {
  const benchId = await benchOfMatches(1);
  const ends = await Promise.allSettled([
    saveVerdict(db, verdict(benchId, 0, 'ab'), BOTH),
    saveVerdict(db, verdict(benchId, 7, 'ab'), BOTH),
    saveVerdict(db, verdict(benchId, 0, 'ba'), BOTH),
  ]);
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect((await readMatches(benchId)).map(({ state }) => state)).toEqual(['played']);
});

test('texts that Postgres cannot hold are marked where they cannot, and the verdicts at their side are whole', async () => {
  const benchId = await benchOfMatches(2);
  const hostile = verdict(benchId, 0, 'ab');
  await Promise.all([
    saveVerdict(
      db,
      {
        ...hostile,
        verdict: { ...hostile.verdict, rationale: 'a\0b\ud800c"\\' } as StoredVerdict['verdict'],
      },
      BOTH,
    ),
    saveVerdict(db, verdict(benchId, 1, 'ab'), BOTH),
  ]);
  const rows = await db
    .selectFrom('bench_verdicts')
    .select('rationale')
    .where('bench_id', '=', benchId)
    .orderBy('match_id')
    .execute();
  expect(rows).toEqual([{ rationale: 'a\ufffdb\ufffdc"\\' }, { rationale: '1 ab' }]);
});

test.each<[string, StoredVerdict['verdict']]>([
  ['a rationale', { state: 'valid', winner: 'first', rationale: `é"\\${'x'.repeat(200_000)}`, scores: [] }],
  ['a detail', { state: 'invalid', reason: 'malformed_arguments', detail: `é"\\${'x'.repeat(200_000)}` }],
])(
  '%s of 200,003 characters is saved alone, as it came, and what is saved beside it in one question',
  async (_, long) => {
    const benchId = await benchOfMatches(3);
    const { db: counting, statements } = countStatements(db);
    await Promise.all(
      [
        verdict(benchId, 0, 'ab'),
        { ...verdict(benchId, 1, 'ab'), verdict: long },
        verdict(benchId, 2, 'ab'),
      ].map((row) => saveVerdict(counting, row, BOTH)),
    );
    expect(statements.filter((kind) => kind === 'SelectQueryNode')).toHaveLength(2); // one a question
    const row = await db
      .selectFrom('bench_verdicts')
      .select(['rationale', 'detail'])
      .where('match_id', '=', `${benchId}/m1`)
      .executeTakeFirstOrThrow();
    expect(row.rationale ?? row.detail).toBe(long.state === 'valid' ? long.rationale : long.detail);
  },
);

test('an invalid verdict leaves its match unplayed for its reason; a repeat decides nothing', async () => {
  const benchId = await benchOfMatches(2);
  const invalid: StoredVerdict['verdict'] = { state: 'invalid', reason: 'truncated', detail: 'cut' };
  const told = await Promise.all([
    saveVerdict(db, verdict(benchId, 0, 'ab'), BOTH),
    saveVerdict(db, { ...verdict(benchId, 0, 'ba'), verdict: invalid }, BOTH),
    saveVerdict(db, verdict(benchId, 1, 'ab'), BOTH),
    saveVerdict(db, { ...verdict(benchId, 1, 'ba'), repeat: 1 }, BOTH),
  ]);
  expect(told.filter((state) => state !== null)).toEqual<MatchOutcome['state'][]>(['unplayed']);
  expect((await readMatches(benchId)).map(({ state }) => state)).toEqual(['unplayed', 'planned']);
});

test('of a bench that was taken over no verdict is kept, however many come at once', async () => {
  const benchId = await benchOfMatches(3);
  await takeOverBench(db, benchId, 1, { namespace: 'test', workflowId: 'another', firstRunId: benchId });
  const ends = await Promise.allSettled(
    [0, 1, 2].map((i) => saveVerdict(db, verdict(benchId, i, 'ab'), BOTH)),
  );
  for (const end of ends) expect(end.status === 'rejected' && end.reason).toBeInstanceOf(BenchTakenOver);
  const rows = db.selectFrom('bench_verdicts').select('judge').where('bench_id', '=', benchId);
  expect(await rows.execute()).toEqual([]);
});
