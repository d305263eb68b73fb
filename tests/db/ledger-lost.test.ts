import { benchScope, candidateScope } from '../../core/ids';
import { openDatabase } from '../../db/database';
import { failCall, renewLease, settleCall } from '../../db/ledger';
import { admitCall } from '../../db/ledger-admission';
import type { CallIntent, SentCall } from '../../db/ledger-records';
import { rewriteCall } from '../../db/ledger-rewrite';
import { holdRow } from '../../db/row-hold';
import { createTestDatabase, testDatabaseOfFile } from '../stack/test-database';
import { answer, BILLED, heldAndSum, intent, LIMITS, loseCall, readSent, send } from './ledger-calls';
import { seedBench, smallPlan } from './seed-bench';
import { untilWaiting } from './until-waiting';

/** Rows that Postgres itself loses while their requests are out: a failover without its last commits, an old backup. */
const database = testDatabaseOfFile();
const [db, other] = [database.open('worker'), database.open('worker')];

async function sendAndLose(benchId: string, key: string, changes?: Partial<CallIntent>): Promise<SentCall> {
  const call = await send(db, benchId, key, changes);
  await loseCall(db, call);
  return call;
}

async function readRows(benchId: string) {
  return db
    .selectFrom('bench_llm_calls')
    .select(['key', 'attempt', 'state', 'charged_usd', 'response'])
    .where('bench_id', '=', benchId)
    .orderBy('key')
    .orderBy('attempt')
    .execute();
}

async function expectHeld(benchId: string, usd: number): Promise<void> {
  const scopes = await heldAndSum(db, benchId);
  for (const { held, sum } of scopes) expect(held).toBe(sum);
  expect(scopes.find(({ id }) => id === benchScope(benchId))?.held).toBe(usd);
}

describe('an answer whose row is lost', () => {
  test('writes it anew, as it was sent, and is booked once at $0.10, however often it is booked', async () => {
    const benchId = await seedBench(db);
    const call = await send(db, benchId, 'x', { request: '{"a":"é"}', requestBytes: 10 });
    const before = await readSent(db, call.intent.key);
    await loseCall(db, call);
    await expectHeld(benchId, 0);
    for (let time = 0; time < 3; time++) {
      expect(await settleCall(db, call, answer(0.1))).toEqual({ attempt: 1, accepted: 1 });
    }
    expect(await readSent(db, call.intent.key)).toEqual(before);
    expect(await readRows(benchId)).toMatchObject([
      { attempt: 1, state: 'settled', charged_usd: 0.1, response: '{"said":"so"}' },
    ]);
    await expectHeld(benchId, 0.1);
    expect(await admitCall(db, intent(benchId, 'x'), LIMITS)).toMatchObject({ kind: 'settled', attempt: 1 });
  });

  test('counts among the tokens a byte of its model as any other', async () => {
    const benchId = await seedBench(db);
    await settleCall(db, await sendAndLose(benchId, 'x'), answer(0.1));
    const rates = db.selectFrom('bench_token_rates').select(['n_settled', 'max_tokens_per_byte']);
    expect(await rates.where('bench_id', '=', benchId).execute()).toEqual([
      { n_settled: 1, max_tokens_per_byte: 0.5 }, // 50 tokens for 100 bytes
    ]);
  });

  test('booked by two workers at once stands once', async () => {
    const benchId = await seedBench(db);
    const call = await sendAndLose(benchId, 'x');
    const both = await Promise.all([db, other].map((via) => settleCall(via, call, answer(0.1))));
    expect(both).toEqual([
      { attempt: 1, accepted: 1 },
      { attempt: 1, accepted: 1 },
    ]);
    expect(await readRows(benchId)).toHaveLength(1);
    await expectHeld(benchId, 0.1);
  });

  test('whose statement goes on in Postgres after its connection broke is booked once by the next', async () => {
    const benchId = await seedBench(db);
    const call = await sendAndLose(benchId, 'x');
    const hold = await holdRow(database.workerUrl, 'bench_budgets', candidateScope(`${benchId}/alpha`));
    const first = rewriteCall(other, call);
    await untilWaiting(db, 1);
    const second = settleCall(db, call, answer(0.1));
    await untilWaiting(db, 2);
    await hold.release();
    await first;
    expect(await second).toEqual({ attempt: 1, accepted: 1 });
    expect(await readRows(benchId)).toHaveLength(1);
    await expectHeld(benchId, 0.1);
  });

  test('40 of them at once, 20 of which are lost, are booked all the same', async () => {
    const benchId = await seedBench(db);
    const keys = Array.from({ length: 40 }, (_, i) => `${i}`);
    const calls = await Promise.all(keys.map((key) => send(db, benchId, key, { boundUsd: 0.01 })));
    await Promise.all(calls.filter((_, i) => i % 2).map((call) => loseCall(db, call)));
    const booked = await Promise.all(calls.map((call) => settleCall(db, call, answer(0.005))));
    expect(booked).toEqual(keys.map(() => ({ attempt: 1, accepted: 1 })));
    expect((await readRows(benchId)).every(({ state }) => state === 'settled')).toBe(true);
    await expectHeld(benchId, 0.2); // 40 × $0.005
  });

  test('is booked above a cap: $0.30 of $0.25 that another call has filled since', async () => {
    const benchId = await seedBench(
      db,
      smallPlan({ budgets: { perCandidateUsd: 0.25, judgeUsd: 1, benchUsd: null } }),
    );
    const call = await sendAndLose(benchId, 'x');
    await settleCall(db, await send(db, benchId, 'y'), answer(0.2));
    await settleCall(db, call, answer(0.1));
    await expectHeld(benchId, 0.3);
    expect(await admitCall(db, intent(benchId, 'z'), LIMITS)).toMatchObject({ kind: 'over_budget' });
  });

  test('that cost more than its bound closes its scope as any overrun', async () => {
    const benchId = await seedBench(db);
    await settleCall(db, await sendAndLose(benchId, 'x'), answer(0.35));
    expect(await admitCall(db, intent(benchId, 'y'), LIMITS)).toMatchObject({
      kind: 'over_budget',
      closedBy: `${benchId}/x`,
    });
    await expectHeld(benchId, 0.35);
  });
});

describe('an answer whose row is lost and whose number another request has by now', () => {
  test('takes the next number, and counts; the other’s comes second, and both are paid for', async () => {
    const benchId = await seedBench(db);
    const lost = await sendAndLose(benchId, 'x');
    const again = await send(db, benchId, 'x');
    expect(again.attempt).toBe(1);
    expect(await settleCall(db, lost, answer(0.1))).toEqual({ attempt: 2, accepted: 2 });
    expect(await settleCall(other, again, answer(0.2))).toEqual({ attempt: 1, accepted: 2 });
    expect(await readRows(benchId)).toMatchObject([
      { attempt: 1, state: 'superseded', charged_usd: 0.2 },
      { attempt: 2, state: 'settled', charged_usd: 0.1 },
    ]);
    await expectHeld(benchId, 0.3);
  });

  test('comes second where the other has settled: the other’s answer counts, and its own is booked beside it', async () => {
    const benchId = await seedBench(db);
    const lost = await sendAndLose(benchId, 'x');
    await settleCall(other, await send(db, benchId, 'x'), answer(0.2));
    for (let time = 0; time < 2; time++) {
      expect(await settleCall(db, lost, answer(0.1))).toEqual({ attempt: 2, accepted: 1 });
    }
    await expectHeld(benchId, 0.3);
  });

  test('is booked also where its row comes back, by a renewal that was on its way, between two looks at it', async () => {
    const benchId = await seedBench(db);
    const lost = await sendAndLose(benchId, 'x');
    await settleCall(other, await send(db, benchId, 'x'), answer(0.2));
    let isFirst = true;
    const interrupted = db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if (isFirst) await renewLease(other, lost, 60_000);
        isFirst = false;
        return result;
      },
    });
    expect(await settleCall(interrupted, lost, answer(0.1))).toEqual({ attempt: 2, accepted: 1 });
    expect((await readRows(benchId))[1]).toMatchObject({ state: 'superseded', charged_usd: 0.1 });
    await expectHeld(benchId, 0.3);
  });

  test('and the other’s at the same moment: one counts, both are booked, 20 times', async () => {
    const benchId = await seedBench(db);
    const keys = Array.from({ length: 20 }, (_, i) => `${i}`);
    const bound = { boundUsd: 0.05 };
    const lost = await Promise.all(keys.map((key) => sendAndLose(benchId, key, bound)));
    const again = await Promise.all(keys.map((key) => send(db, benchId, key, bound)));
    const [first, second] = await Promise.all([
      Promise.all(lost.map((call) => settleCall(db, call, answer(0.01)))),
      Promise.all(again.map((call) => settleCall(other, call, answer(0.02)))),
    ]);
    for (const [i, { attempt, accepted }] of first.entries()) {
      expect(second[i]?.accepted).toBe(accepted);
      expect(new Set([attempt, second[i]?.attempt])).toEqual(new Set([1, 2]));
    }
    expect(await readRows(benchId)).toHaveLength(40);
    await expectHeld(benchId, 0.6); // 20 × ($0.01 + $0.02)
  });

  test('counts after all where Postgres has lost the answer that came before it', async () => {
    const benchId = await seedBench(db);
    const first = await send(db, benchId, 'x', { leaseMs: -1 });
    const second = await send(db, benchId, 'x');
    await settleCall(db, first, answer(0.1));
    expect(await settleCall(db, second, answer(0.2))).toEqual({ attempt: 2, accepted: 1 });
    await loseCall(db, first);
    expect(await settleCall(db, second, answer(0.2))).toEqual({ attempt: 2, accepted: 2 });
    await expectHeld(benchId, 0.2);
  });
});

describe('a failure whose row is lost', () => {
  test('that was billed at $0.04 is counted, once', async () => {
    const benchId = await seedBench(db);
    const call = await sendAndLose(benchId, 'x');
    await Promise.all([failCall(db, call, BILLED), failCall(other, call, BILLED)]);
    expect(await readRows(benchId)).toMatchObject([{ attempt: 1, state: 'failed', charged_usd: 0.04 }]);
    await expectHeld(benchId, 0.04);
  });

  test('whose cost nobody knows is charged at its bound of $0.25, and counts among the attempts', async () => {
    const benchId = await seedBench(db);
    const call = await sendAndLose(benchId, 'x');
    await failCall(db, call, { ...BILLED, kind: 'dropped', endsAs: 'in_doubt', reportedUsd: null });
    await expectHeld(benchId, 0.25);
    expect(await admitCall(db, intent(benchId, 'x'), LIMITS)).toMatchObject({ kind: 'admitted', attempt: 2 });
  });
});

test('a request that is still out is written anew with its lease: $0.25 are held, and nobody sends it again', async () => {
  const benchId = await seedBench(db);
  const call = await sendAndLose(benchId, 'x');
  for (const via of [db, other]) await renewLease(via, call, 60_000);
  await expectHeld(benchId, 0.25);
  expect(await admitCall(other, intent(benchId, 'x'), LIMITS)).toMatchObject({ kind: 'busy' });
  expect(await settleCall(db, call, answer(0.1))).toEqual({ attempt: 1, accepted: 1 });
  await renewLease(other, call, 60_000); // on its way when the answer came
  expect(await readRows(benchId)).toMatchObject([{ state: 'settled', charged_usd: 0.1 }]);
  await expectHeld(benchId, 0.1);
});

test('a failure that says what it cost is booked at that, $0.40, also after its lease had ended at $0.25', async () => {
  const benchId = await seedBench(db);
  const late = await send(db, benchId, 'x', { leaseMs: -1 });
  await send(db, benchId, 'x');
  await failCall(db, late, { ...BILLED, reportedUsd: 0.4 });
  await expectHeld(benchId, 0.65);
});

test('an answer of a request sent after the backup that is restored is booked in it, once, at $0.10', async () => {
  const original = await createTestDatabase();
  const first = openDatabase(original.workerUrl);
  const benchId = await seedBench(first);
  await settleCall(first, await send(first, benchId, 'a'), answer(0.05));
  await first.destroy();
  const backup = await createTestDatabase(original);
  const [sending, restored] = [openDatabase(original.workerUrl), openDatabase(backup.workerUrl)];
  const call = await send(sending, benchId, 'x');
  for (let time = 0; time < 2; time++) {
    expect(await settleCall(restored, call, answer(0.1))).toEqual({ attempt: 1, accepted: 1 });
  }
  for (const { held, sum } of await heldAndSum(restored, benchId)) expect(held).toBe(sum);
  expect((await heldAndSum(restored, benchId)).find(({ id }) => id === benchId)?.held).toBe(0.15);
  await Promise.all([sending.destroy(), restored.destroy()]);
  await Promise.all([original.drop(), backup.drop()]);
});
