import { sql } from 'kysely';
import { readOwnedBench } from '../../db/benches';
import { type Database, openDatabase } from '../../db/database';
import {
  findToolCall,
  readToolCalls,
  type StoredToolAnswer,
  type StoredToolCall,
  saveToolAnswer,
  saveToolCalls,
} from '../../db/tool-calls';
import { testDatabaseOfFile } from '../stack/test-database';
import { countStatements } from './count-statements';
import { seedBench } from './seed-bench';
import { untilWaiting } from './until-waiting';

const database = testDatabaseOfFile();
const db = database.open('worker');

function answer(text: string): StoredToolAnswer {
  return {
    ...{ outcome: 'found', failureKind: null, text, documents: [], cache: 'miss' },
    ...{ withheldCount: 0, latencyMs: 3 },
  };
}

/** Slots of a bench with three unanswered calls each, of turn 1. */
async function benchWithCalls(slots: readonly string[]) {
  const benchId = await seedBench(db);
  const refs = slots.flatMap((slot) =>
    [0, 1, 2].map((index) => ({ hypothesisId: `${benchId}/${slot}`, turn: 1, index })),
  );
  const calls: StoredToolCall[] = refs.map((ref) => ({
    ...{ ...ref, benchId, callId: `call_${ref.index}`, tool: 'search_pubmed', arguments: '{}' },
    ...{ argumentsSha256: 'a'.repeat(64), repeats: null, answer: null },
  }));
  await saveToolCalls(db, { benchId, epoch: 1 }, calls);
  return { owner: { benchId, epoch: 1 }, refs };
}

const SLOTS = ['alpha/1', 'alpha/2', 'beta/1', 'beta/2'];

test('12 answers of 4 slots at once are kept by one statement, each at its own call', async () => {
  const { owner, refs } = await benchWithCalls(SLOTS);
  const { db: counted, statements } = countStatements(db);
  await Promise.all(
    refs.map((ref) => saveToolAnswer(counted, owner, ref, answer(`${ref.hypothesisId}.${ref.index}`))),
  );
  expect(statements).toHaveLength(1);
  for (const slot of SLOTS) {
    const id = `${owner.benchId}/${slot}`;
    const calls = await readToolCalls(db, id);
    expect(calls.map((call) => call.answer?.text)).toEqual([`${id}.0`, `${id}.1`, `${id}.2`]);
  }
});

test('the first answer of a call counts, also beside others that are new', async () => {
  const { owner, refs } = await benchWithCalls(['alpha/1']);
  const [first, second, third] = refs as [(typeof refs)[0], (typeof refs)[0], (typeof refs)[0]];
  await saveToolAnswer(db, owner, first, answer('the first'));
  await Promise.all([
    saveToolAnswer(db, owner, first, answer('a later one')),
    saveToolAnswer(db, owner, second, { ...answer('a\0b\ud800'), outcome: 'failed', failureKind: 'timeout' }),
    saveToolAnswer(db, owner, { ...third, index: 9 }, answer('of no call')),
  ]);
  const calls = await readToolCalls(db, first.hypothesisId);
  expect(calls.map((call) => call.answer?.text)).toEqual(['the first', 'a\ufffdb\ufffd', undefined]);
  expect(calls[1]?.answer).toMatchObject({ outcome: 'failed', failureKind: 'timeout', documents: [] });
});

test('two workers that save the same answers in opposite orders at once do not stand in each other’s way', async () => {
  const { owner, refs } = await benchWithCalls(['alpha/1']);
  const other = openDatabase(database.workerUrl);
  const save = (by: Database, ref: (typeof refs)[0]) => saveToolAnswer(by, owner, ref, answer('so'));
  const saved = await db.transaction().execute(async (tx) => {
    const calls = tx.selectFrom('bench_tool_calls').select('index').where('index', '=', 1);
    await calls.where('hypothesis_id', '=', `${owner.benchId}/alpha/1`).forNoKeyUpdate().execute();
    const first = refs.map((ref) => save(db, ref));
    await untilWaiting(other, 1);
    const second = [...refs].reverse().map((ref) => save(other, ref));
    await untilWaiting(other, 2);
    return { ends: Promise.allSettled([...first, ...second]) };
  });
  expect((await saved.ends).map(({ status }) => status)).toEqual(Array(6).fill('fulfilled'));
  const { rows } = await sql<{ n: number }>`
    SELECT deadlocks AS n FROM pg_stat_database WHERE datname = current_database()`.execute(db);
  expect(rows).toEqual([{ n: 0 }]);
  await other.destroy();
});

test('an answer of a million characters is kept alone, and whole', async () => {
  const { owner, refs } = await benchWithCalls(['alpha/1']);
  const { db: counted, statements } = countStatements(db);
  const long = `"\\${'x'.repeat(1_000_000)}`;
  await Promise.all(
    refs.map((ref) => saveToolAnswer(counted, owner, ref, answer(ref.index === 1 ? long : 'short'))),
  );
  expect(statements).toHaveLength(2);
  const calls = await readToolCalls(db, refs[0]?.hypothesisId ?? '');
  expect(calls.map((call) => call.answer?.text)).toEqual(['short', long, 'short']);
});

test('calls that are looked for at once are found by one statement, and one that is not there is not found', async () => {
  const { refs } = await benchWithCalls(SLOTS);
  const { db: counted, statements } = countStatements(db);
  const found = await Promise.all(
    [...refs, { hypothesisId: 'nowhere', turn: 1, index: 0 }].map((ref) => findToolCall(counted, ref)),
  );
  expect(statements).toHaveLength(1);
  expect(found).toMatchObject([...refs, undefined]);
});

test('of benches that are looked for at once each is told its own, and one of another epoch that it was taken over', async () => {
  const [one, other] = [await seedBench(db), await seedBench(db)];
  const asked = [
    { benchId: one, epoch: 1 },
    { benchId: other, epoch: 2 },
    { benchId: 'bnc_of_nobody', epoch: 1 },
    { benchId: other, epoch: 1 },
  ];
  const { db: counted, statements } = countStatements(db);
  const ends = await Promise.allSettled(asked.map((ref) => readOwnedBench(counted, ref)));
  expect(statements).toHaveLength(1);
  expect(ends.map((end) => (end.status === 'fulfilled' ? end.value.id : String(end.reason.name)))).toEqual([
    one,
    'BenchTakenOver',
    'BenchTakenOver',
    other,
  ]);
});
