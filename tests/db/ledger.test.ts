import { benchScope, candidateScope } from '../../core/ids';
import { failCall, raiseBudget, renewLease } from '../../db/ledger';
import { admitCall, admitFirst } from '../../db/ledger-admission';
import { holdRow } from '../../db/row-hold';
import { testDatabaseOfFile } from '../stack/test-database';
import { answer, heldAndSum, intent, LIMITS, readSent, settle } from './ledger-calls';
import { seedBench, smallPlan } from './seed-bench';
import { untilWaiting } from './until-waiting';

const database = testDatabaseOfFile();
const db = database.open('worker', { maxConnections: 50 });

async function admit(benchId: string, key: string): Promise<void> {
  expect(await admitCall(db, intent(benchId, key), LIMITS)).toMatchObject({ kind: 'admitted' });
}

async function countCalls(benchId: string): Promise<number> {
  const calls = db.selectFrom('bench_llm_calls').select('key').where('bench_id', '=', benchId);
  return (await calls.execute()).length;
}

describe('admission', () => {
  test('400 concurrent callers over two scopes: $3 and $2 of room at $0.25 a call admit 12 and 8, no error', async () => {
    const benchId = await seedBench(
      db,
      smallPlan({ budgets: { perCandidateUsd: 3, judgeUsd: 5, benchUsd: 5 } }),
    );
    const admissions = await Promise.all(
      Array.from({ length: 400 }, (_, i) => {
        const label = i % 2 === 0 ? 'alpha' : 'beta';
        return admitCall(
          db,
          intent(benchId, `${label}/${i}`, {
            scopeIds: [benchScope(benchId), candidateScope(`${benchId}/${label}`)],
          }),
          LIMITS,
        );
      }),
    );
    const kinds = admissions.map((a) => a.kind);
    expect(kinds.filter((kind) => kind === 'admitted')).toHaveLength(20);
    expect(kinds.filter((kind) => kind === 'no_room_yet')).toHaveLength(380);
    for (const { held, sum } of await heldAndSum(db, benchId)) expect(held).toBe(sum);
    const bench = (await heldAndSum(db, benchId)).find((scope) => scope.id === benchScope(benchId));
    expect(bench?.held).toBe(5);
  });

  test('of 50 concurrent callers of one key exactly 1 is admitted and 49 are told to wait', async () => {
    const benchId = await seedBench(db);
    const admissions = await Promise.all(
      Array.from({ length: 50 }, () => admitCall(db, intent(benchId, 'one'), LIMITS)),
    );
    expect(admissions.filter((a) => a.kind === 'admitted')).toHaveLength(1);
    expect(admissions.filter((a) => a.kind === 'busy')).toHaveLength(49);
  });

  test('a call that fits nowhere is over budget, and says cap, held and bound', async () => {
    const benchId = await seedBench(db);
    await admitCall(db, intent(benchId, 'first', { boundUsd: 2.9 }), LIMITS);
    await settle(db, `${benchId}/first`, 1, answer(2.9));
    expect(await admitCall(db, intent(benchId, 'second'), LIMITS)).toEqual({
      kind: 'over_budget',
      scopeId: `${benchId}/alpha`,
      capUsd: 3,
      heldUsd: 2.9,
      boundUsd: 0.25,
      closedBy: null,
    });
  });

  test('a raised cap lets the refused call in', async () => {
    const benchId = await seedBench(db);
    await admitCall(db, intent(benchId, 'first', { boundUsd: 2.9 }), LIMITS);
    await settle(db, `${benchId}/first`, 1, answer(2.9));
    expect(await raiseBudget(db, candidateScope(`${benchId}/alpha`), 4)).toBe(true);
    expect(await admitCall(db, intent(benchId, 'second'), LIMITS)).toMatchObject({
      kind: 'admitted',
      attempt: 1,
    });
  });

  test('an activity of an older epoch is told that the bench was taken over, and nothing is held', async () => {
    const benchId = await seedBench(db);
    expect(await admitCall(db, intent(benchId, 'x', { epoch: 2 }), LIMITS)).toEqual({ kind: 'taken_over' });
    expect((await heldAndSum(db, benchId)).every((scope) => scope.held === 0)).toBe(true);
  });

  test('a first attempt is admitted in one question, and told its model’s tokens a byte once enough calls say', async () => {
    const benchId = await seedBench(db);
    for (const [key, expected] of [
      ['a', null],
      ['b', null],
      ['c', 0.5], // two have settled, of 50 tokens for 100 bytes
    ] as const) {
      const first = await admitFirst(db, intent(benchId, key), { tokensPerByte: null, minCalls: 2 });
      expect(first).toMatchObject({ sent: { attempt: 1 }, tokensPerByte: expected });
      await settle(db, `${benchId}/${key}`, 1, answer(0.01));
    }
  });

  test.each([
    ['an attempt stands already', {}, async (benchId: string) => void (await admit(benchId, 'x'))],
    ['there is no room', { boundUsd: 9 }, async () => {}],
    ['the bench was taken over', { epoch: 2 }, async () => {}],
  ])('where %s, a first attempt is not admitted and changes nothing', async (_, changes, before) => {
    const benchId = await seedBench(db);
    await before(benchId);
    const [held, calls] = [await heldAndSum(db, benchId), await countCalls(benchId)];
    const first = await admitFirst(db, intent(benchId, 'x', changes), { tokensPerByte: null, minCalls: 2 });
    expect(first.sent).toBeNull();
    expect(await heldAndSum(db, benchId)).toEqual(held);
    expect(await countCalls(benchId)).toBe(calls);
    const over = db.selectFrom('bench_budgets').select('id').where('exceeded_cap_usd', 'is not', null);
    expect(await over.where('bench_id', '=', benchId).execute()).toEqual([]);
  });

  test('a bound made from 0.4 tokens a byte is not admitted once 0.5 are known, and one made from 0.5 is', async () => {
    const benchId = await seedBench(db);
    await admit(benchId, 'a');
    await settle(db, `${benchId}/a`, 1, answer(0.01)); // 50 tokens for 100 bytes
    const ask = (tokensPerByte: number, minCalls: number) =>
      admitFirst(db, intent(benchId, `${tokensPerByte}/${minCalls}`), { tokensPerByte, minCalls });
    expect(await ask(0.4, 1)).toEqual({ sent: null, tokensPerByte: 0.5 });
    expect(await ask(0.5, 1)).toMatchObject({ sent: { attempt: 1 }, tokensPerByte: 0.5 });
    expect(await ask(0.4, 2)).toMatchObject({ sent: { attempt: 1 }, tokensPerByte: null });
  });

  test('whoever asks for an attempt that is being settled at this moment does not wait for it, nor it for them', async () => {
    const benchId = await seedBench(db);
    await admit(benchId, 'x');
    const hold = await holdRow(database.workerUrl, 'bench_budgets', candidateScope(`${benchId}/alpha`));
    const asked = admitCall(db, intent(benchId, 'x'), LIMITS, []);
    await untilWaiting(db, 1);
    const settled = settle(db, `${benchId}/x`, 1, answer(0.2));
    await untilWaiting(db, 2);
    await hold.release();
    expect(await settled).toBe(1);
    expect(['settled', 'busy']).toContain((await asked).kind);
  });

  test('a scope that does not exist is an error of ours, not a free call', async () => {
    const benchId = await seedBench(db);
    const call = intent(benchId, 'x', { scopeIds: [benchScope(benchId), 'nowhere'] });
    await expect(admitCall(db, call, LIMITS)).rejects.toThrow('no budget scope nowhere');
  });
});

describe('answers', () => {
  test('a settled key is read, not sent again; under another request hash it is a mismatch', async () => {
    const benchId = await seedBench(db);
    await admitCall(db, intent(benchId, 'x'), LIMITS);
    await settle(db, `${benchId}/x`, 1, answer(0.1));
    expect(await admitCall(db, intent(benchId, 'x'), LIMITS)).toMatchObject({
      kind: 'settled',
      attempt: 1,
      response: '{"said":"so"}',
      requestId: 'req-1',
    });
    const other = intent(benchId, 'x', { requestSha256: 'b'.repeat(64) });
    expect(await admitCall(db, other, LIMITS)).toEqual({ kind: 'mismatch', attempt: 1 });
  });

  test('a late answer settles its own row; the second attempt is superseded, and both are paid for', async () => {
    const benchId = await seedBench(db);
    await admitCall(db, intent(benchId, 'x', { leaseMs: -1 }), LIMITS);
    expect(await admitCall(db, intent(benchId, 'x'), LIMITS)).toMatchObject({ kind: 'admitted', attempt: 2 });
    expect(await settle(db, `${benchId}/x`, 1, answer(0.1))).toBe(1);
    expect(await settle(db, `${benchId}/x`, 2, answer(0.2, { response: '{"said":"other"}' }))).toBe(1);
    const rows = await db
      .selectFrom('bench_llm_calls')
      .select(['attempt', 'state', 'cost_usd'])
      .where('key', '=', `${benchId}/x`)
      .orderBy('attempt')
      .execute();
    expect(rows).toEqual([
      { attempt: 1, state: 'settled', cost_usd: 0.1 },
      { attempt: 2, state: 'superseded', cost_usd: 0.2 },
    ]);
    expect((await heldAndSum(db, benchId)).find((s) => s.id === benchScope(benchId))?.held).toBeCloseTo(
      0.3,
      12,
    );
  });

  test('an ended lease goes in doubt, charged at its bound; a renewed one is waited for', async () => {
    const benchId = await seedBench(db);
    await admitCall(db, intent(benchId, 'x', { leaseMs: -1 }), LIMITS);
    const sent = await readSent(db, `${benchId}/x`);
    await renewLease(db, sent, 30_000);
    expect(await admitCall(db, intent(benchId, 'x'), LIMITS)).toMatchObject({ kind: 'busy' });
    await renewLease(db, sent, -1);
    expect(await admitCall(db, intent(benchId, 'x'), LIMITS)).toMatchObject({ kind: 'admitted', attempt: 2 });
    const first = await db
      .selectFrom('bench_llm_calls')
      .select(['state', 'charged_usd', 'cost_usd'])
      .where('key', '=', `${benchId}/x`)
      .where('attempt', '=', 1)
      .executeTakeFirstOrThrow();
    expect(first).toEqual({ state: 'in_doubt', charged_usd: 0.25, cost_usd: null });
  });

  test('an unknown cost stays null and is charged at its bound, not at 0', async () => {
    const benchId = await seedBench(db);
    await admitCall(db, intent(benchId, 'x'), LIMITS);
    await settle(db, `${benchId}/x`, 1, answer(null));
    const row = await db
      .selectFrom('bench_llm_calls')
      .select(['cost_usd', 'charged_usd'])
      .where('key', '=', `${benchId}/x`)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ cost_usd: null, charged_usd: 0.25 });
  });

  test('a call billed above its bound is an overrun and closes its scopes', async () => {
    const benchId = await seedBench(db);
    await admitCall(db, intent(benchId, 'x'), LIMITS);
    await settle(db, `${benchId}/x`, 1, answer(0.35));
    const row = await db
      .selectFrom('bench_llm_calls')
      .select('overrun_usd')
      .where('key', '=', `${benchId}/x`)
      .executeTakeFirstOrThrow();
    expect(row.overrun_usd).toBeCloseTo(0.1, 12);
    expect(await admitCall(db, intent(benchId, 'y'), LIMITS)).toMatchObject({
      kind: 'over_budget',
      closedBy: `${benchId}/x`,
    });
  });

  test('4 failures use a key up; 429s do not count among them', async () => {
    const benchId = await seedBench(db);
    const key = `${benchId}/x`;
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      expect(await admitCall(db, intent(benchId, 'x'), LIMITS)).toMatchObject({ kind: 'admitted', attempt });
      const kind = attempt % 3 === 0 ? 'rate_limited' : 'server_error';
      await failCall(db, await readSent(db, key, attempt), {
        kind,
        endsAs: 'failed',
        httpStatus: 500,
        requestId: null,
        reportedUsd: null,
        computedUsd: 0,
        latencyMs: 1,
      });
    }
    expect(await admitCall(db, intent(benchId, 'x'), LIMITS)).toEqual({
      kind: 'given_up',
      reason: 'attempts_exhausted',
    });
    expect((await heldAndSum(db, benchId)).every((scope) => scope.held === 0)).toBe(true);
  });
});
