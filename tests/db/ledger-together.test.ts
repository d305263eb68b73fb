import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { benchScope, candidateScope } from '../../core/ids';
import { openDatabase } from '../../db/database';
import { settleCall } from '../../db/ledger';
import { admitCall, admitFirst } from '../../db/ledger-admission';
import type { Settlement } from '../../db/ledger-records';
import { holdRow } from '../../db/row-hold';
import { testDatabaseOfFile } from '../stack/test-database';
import { countStatements } from './count-statements';
import { answer, heldAndSum, intent, LIMITS, readSent, settle } from './ledger-calls';
import { seedBench, smallPlan } from './seed-bench';
import { untilWaiting } from './until-waiting';

/** Calls of one worker that ask at the same moment share their statements: nothing else may change by it. */
const database = testDatabaseOfFile();
let db = database.open('worker', { maxConnections: 20 });

const USED = { tokensPerByte: null, minCalls: 3 };
const FIVE_DOLLARS = smallPlan({ budgets: { perCandidateUsd: 3, judgeUsd: 5, benchUsd: 5 } });

/** Books answers that come at the same moment. @returns the attempts whose answers count */
async function settleAtOnce(
  answers: readonly (readonly [key: string, attempt: number, booked: Settlement])[],
): Promise<number[]> {
  const sent = await Promise.all(answers.map(([key, attempt]) => readSent(db, key, attempt)));
  const bookings = answers.map(async ([, , booked], i) => (await settleCall(db, sent[i]!, booked)).accepted);
  return Promise.all(bookings);
}

/** What is done through `db` meanwhile, in how many statements. */
async function statementsOf<T>(work: () => Promise<T>): Promise<{ result: T; statements: string[] }> {
  const before = db;
  const counting = countStatements(db);
  db = counting.db;
  try {
    return { result: await work(), statements: counting.statements };
  } finally {
    db = before;
  }
}

describe('first attempts', () => {
  test('50 at once are admitted by one statement, each with its own request, and held in full', async () => {
    const benchId = await seedBench(
      db,
      smallPlan({ budgets: { perCandidateUsd: 99, judgeUsd: 99, benchUsd: null } }),
    );
    const { result, statements } = await statementsOf(() =>
      Promise.all(
        Array.from({ length: 50 }, (_, i) =>
          admitFirst(db, intent(benchId, `${i}`, { request: `{"n":${i}}`, requestBytes: 100 + i }), USED),
        ),
      ),
    );
    expect(result.filter(({ sent }) => sent)).toHaveLength(50);
    expect(statements).toHaveLength(1);
    const calls = await db
      .selectFrom('bench_llm_calls')
      .select(['key', 'request', 'request_bytes'])
      .where('bench_id', '=', benchId)
      .execute();
    for (const { key, request, request_bytes } of calls) {
      const i = Number(key.split('/').at(-1));
      expect({ request, request_bytes }).toEqual({ request: `{"n":${i}}`, request_bytes: 100 + i });
    }
    for (const { held, sum } of await heldAndSum(db, benchId)) expect(held).toBe(sum);
    expect((await heldAndSum(db, benchId)).map(({ held }) => held)).toContain(12.5); // 50 × $0.25
  });

  test('that do not fit together are not admitted together: looked at one by one, 12 of 30 fit $3', async () => {
    const benchId = await seedBench(db, FIVE_DOLLARS);
    const calls = Array.from({ length: 30 }, (_, i) => intent(benchId, `${i}`));
    const first = await Promise.all(calls.map((call) => admitFirst(db, call, USED)));
    expect(first.filter(({ sent }) => sent)).toHaveLength(0);
    const then = await Promise.all(calls.map((call) => admitCall(db, call, LIMITS)));
    expect(then.filter(({ kind }) => kind === 'admitted')).toHaveLength(12);
    for (const { held, sum } of await heldAndSum(db, benchId)) expect(held).toBe(sum);
  });

  test('of one key, 20 at once: 1 is admitted, in whichever questions they come', async () => {
    const benchId = await seedBench(db);
    const ends = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        await sleep(i % 5);
        return admitFirst(db, intent(benchId, 'one', { boundUsd: 0.01 }), USED); // all 20 fit together
      }),
    );
    expect(ends.filter(({ sent }) => sent)).toHaveLength(1);
  });

  test('a long request is admitted alone', async () => {
    const benchId = await seedBench(db);
    const long = { request: JSON.stringify('x'.repeat(300_000)), requestBytes: 300_002 };
    const { result, statements } = await statementsOf(() =>
      Promise.all([
        admitFirst(db, intent(benchId, 'a'), USED),
        admitFirst(db, intent(benchId, 'b', long), USED),
        admitFirst(db, intent(benchId, 'c'), USED),
      ]),
    );
    expect(result.every(({ sent }) => sent)).toBe(true);
    expect(statements).toHaveLength(2);
  });
});

describe('answers', () => {
  async function admitAll(benchId: string, keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      const scopeIds = [candidateScope(`${benchId}/${key.split('/')[0]}`), benchScope(benchId)];
      await admitCall(db, intent(benchId, key, { scopeIds, boundUsd: 0.01 }), LIMITS);
    }
  }

  test('of two candidates, 20 at once, are booked by one statement, each at its own price', async () => {
    const benchId = await seedBench(db);
    const keys = Array.from({ length: 20 }, (_, i) => `${i % 2 ? 'alpha' : 'beta'}/${i}`);
    await admitAll(benchId, keys);
    const sent = await Promise.all(keys.map((key) => readSent(db, `${benchId}/${key}`)));
    const { result, statements } = await statementsOf(() =>
      Promise.all(sent.map((call, i) => settleCall(db, call, answer(i / 10_000)))),
    );
    expect(result).toEqual(keys.map(() => ({ attempt: 1, accepted: 1 })));
    expect(statements).toHaveLength(1);
    const held = await heldAndSum(db, benchId);
    for (const scope of held) expect(scope.held).toBe(scope.sum);
    const of = (id: string) => held.find((scope) => scope.id === id)?.held;
    expect(of(benchScope(benchId))).toBe(0.019); // (0 + 1 + … + 19) ÷ 10,000
    expect(of(candidateScope(`${benchId}/alpha`))).toBe(0.01); // (1 + 3 + … + 19) ÷ 10,000
  });

  test('two of one key at once: one counts, the other is superseded, and a third call’s is booked with them', async () => {
    const benchId = await seedBench(db);
    await admitCall(db, intent(benchId, 'x', { leaseMs: -1 }), LIMITS); // its lease is over: in doubt
    expect(await admitCall(db, intent(benchId, 'x'), LIMITS)).toMatchObject({ kind: 'admitted', attempt: 2 });
    await admitCall(db, intent(benchId, 'y'), LIMITS);
    const [first, second, other] = await settleAtOnce([
      [`${benchId}/x`, 1, answer(0.1)],
      [`${benchId}/x`, 2, answer(0.2)],
      [`${benchId}/y`, 1, answer(0.05)],
    ]);
    expect(first).toBe(second);
    expect(other).toBe(1);
    const rows = await db
      .selectFrom('bench_llm_calls')
      .select('state')
      .where('bench_id', '=', benchId)
      .orderBy('state')
      .execute();
    expect(rows.map(({ state }) => state)).toEqual(['settled', 'settled', 'superseded']);
    for (const { held, sum } of await heldAndSum(db, benchId)) expect(held).toBe(sum);
  });

  test('of a call that is charged to no scope is booked, with those at its side', async () => {
    const benchId = await seedBench(db);
    await admitCall(db, intent(benchId, 'x', { scopeIds: [] }), LIMITS);
    expect(await settle(db, `${benchId}/x`, 1, answer(0.1))).toBe(1);
    await admitCall(db, intent(benchId, 'y', { scopeIds: [] }), LIMITS);
    await admitCall(db, intent(benchId, 'z'), LIMITS);
    const two = ['y', 'z'].map((key) => [`${benchId}/${key}`, 1, answer(0.1)] as const);
    expect(await settleAtOnce(two)).toEqual([1, 1]);
    for (const { held, sum } of await heldAndSum(db, benchId)) expect(held).toBe(sum);
  });

  test('the same answer twice at once is booked once', async () => {
    const benchId = await seedBench(db);
    await admitAll(benchId, ['alpha/1']);
    const twice = [1, 2].map(() => [`${benchId}/alpha/1`, 1, answer(0.004)] as const);
    expect(await settleAtOnce(twice)).toEqual([1, 1]);
    expect((await heldAndSum(db, benchId)).find(({ id }) => id === benchScope(benchId))?.held).toBe(0.004);
  });

  test('lock the scopes of all of them in order: while the first is waited for, no later one is held', async () => {
    const benchId = await seedBench(db);
    const [alpha, beta] = [candidateScope(`${benchId}/alpha`), candidateScope(`${benchId}/beta`)];
    // Key 1 comes first and its scope last: call by call, beta's would be locked before alpha's is waited for.
    await admitCall(db, intent(benchId, '1', { scopeIds: [beta] }), LIMITS);
    await admitCall(db, intent(benchId, '2', { scopeIds: [alpha] }), LIMITS);
    const first = await holdRow(database.workerUrl, 'bench_budgets', alpha);
    const booked = settleAtOnce(['1', '2'].map((key) => [`${benchId}/${key}`, 1, answer(0.001)]));
    while ((await first.waiting()).length === 0) await sleep(5);
    const { rows } = await sql<{ id: string }>`
      SELECT id FROM bench_budgets WHERE id = ${beta} FOR UPDATE SKIP LOCKED`.execute(db);
    await first.release();
    expect(rows).toEqual([{ id: beta }]);
    expect(await booked).toEqual([1, 1]);
  });

  test('whose lease another worker ends at that moment: the first of the two wins, and nothing is paid twice', async () => {
    const benchId = await seedBench(db);
    await admitCall(db, intent(benchId, 'x', { leaseMs: -1 }), LIMITS); // its lease is over
    const other = openDatabase(database.workerUrl);
    const scope = await holdRow(database.workerUrl, 'bench_budgets', candidateScope(`${benchId}/alpha`));
    const booked = settle(db, `${benchId}/x`, 1, answer(0.1));
    await untilWaiting(other, 1);
    const asked = admitCall(other, intent(benchId, 'x'), LIMITS);
    await untilWaiting(other, 2);
    await scope.release();
    expect(await booked).toBe(1);
    expect(await asked).toMatchObject({ kind: 'settled', attempt: 1 });
    await other.destroy();
    for (const { held, sum } of await heldAndSum(db, benchId)) expect(held).toBe(sum);
  });

  test('a long one, of five million characters with NUL escapes and halves of pairs, is booked alone, as it came', async () => {
    const benchId = await seedBench(db);
    await admitAll(benchId, ['alpha/1', 'alpha/2']);
    const response = JSON.stringify({ said: `\0\ud800"\\${'x'.repeat(5_000_000)}` });
    const [long, short] = [
      await readSent(db, `${benchId}/alpha/1`),
      await readSent(db, `${benchId}/alpha/2`),
    ];
    const { statements } = await statementsOf(() =>
      Promise.all([settleCall(db, long, answer(0.001, { response })), settleCall(db, short, answer(0.001))]),
    );
    expect(statements).toHaveLength(2);
    const { rows } = await sql<{ response: string }>`
      SELECT response FROM bench_llm_calls WHERE key = ${`${benchId}/alpha/1`}`.execute(db);
    expect(rows[0]?.response).toBe(response);
  });

  test('the scopes of another bench are not waited for', async () => {
    const [one, other] = [await seedBench(db), await seedBench(db)];
    await admitAll(one, ['alpha/1']);
    await admitAll(other, ['alpha/1']);
    const hold = await holdRow(database.workerUrl, 'bench_budgets', benchScope(one));
    const waiting = settle(db, `${one}/alpha/1`, 1, answer(0.001));
    expect(await settle(db, `${other}/alpha/1`, 1, answer(0.001))).toBe(1);
    await hold.release();
    expect(await waiting).toBe(1);
  });
});
