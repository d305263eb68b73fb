import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { type ActivityDeps, DEFAULT_CALL_LIMITS } from '../../activities/activity-deps';
import { type PaidAnswer, type PaidCall, paidCall } from '../../activities/paid-call';
import { type Provider, ProviderFailure, type WireAnswer } from '../../activities/providers/provider';
import { benchScope, candidateScope } from '../../core/ids';
import { heldAndSum, loseCall, readSent } from '../db/ledger-calls';
import { seedBench } from '../db/seed-bench';
import { testDatabaseOfFile } from '../stack/test-database';

const db = testDatabaseOfFile().open('worker');

const PRICE = {
  ...{ inputUsdPerMTok: 1, outputUsdPerMTok: 5, cacheReadUsdPerMTok: null, cacheWriteUsdPerMTok: null },
  source: 'declared' as const,
};

function callOf(benchId: string): PaidCall {
  return {
    ...{ benchId, epoch: 1, key: `${benchId}/alpha/1/turn/1`, kind: 'generation' },
    model: { provider: 'sim', model: 'alpha', price: PRICE },
    scopeIds: [candidateScope(`${benchId}/alpha`), benchScope(benchId)],
    request: {
      ...{ model: 'alpha', system: '', turns: [], tools: [], toolChoice: { kind: 'auto' } },
      ...{ maxOutputTokens: 10, thinking: 'off', draw: { seed: 1, key: '' } },
    },
  };
}

/** A call whose provider does this once the request is out. */
async function call(benchId: string, send: () => Promise<WireAnswer>): Promise<PaidAnswer> {
  const provider: Provider = {
    name: 'sim',
    build: ({ model }) => ({ model }),
    send,
    read: () => ({
      ...{ kind: 'text', text: 'so', reportedModel: null },
      usage: {
        ...{ inputTokens: 20, cachedInputTokens: null, cacheWriteTokens: null },
        ...{ outputTokens: 4, reasoningTokens: null, reportedCostUsd: null },
      },
    }),
  };
  const deps = { db, providers: new Map([['sim', provider]]), calls: DEFAULT_CALL_LIMITS };
  const environment = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR', () => {}) });
  return environment.run(() => paidCall(deps as unknown as ActivityDeps, callOf(benchId)));
}

const ANSWER: WireAnswer = { body: { said: 'so' }, requestId: 'req-1' };
const COST_USD = 0.00004; // 20 tokens at $1 and 4 at $5 a million

async function lose(benchId: string): Promise<void> {
  await loseCall(db, await readSent(db, callOf(benchId).key));
}

test('an answer whose row Postgres has lost meanwhile is booked, and read by whoever asks again: $0.00004, once', async () => {
  const benchId = await seedBench(db);
  const first = await call(benchId, async () => {
    await lose(benchId);
    return ANSWER;
  });
  const again = await call(benchId, () => Promise.reject(new Error('asked twice')));
  for (const answered of [first, again]) expect(answered).toMatchObject({ kind: 'answered', answer: ANSWER });
  for (const { id, held, sum } of await heldAndSum(db, benchId)) {
    expect(held).toBe(sum);
    if (id === benchScope(benchId)) expect(held).toBe(COST_USD);
  }
});

test('a failure whose row is lost is booked with what it was billed, and may be asked again', async () => {
  const benchId = await seedBench(db);
  const failing = call(benchId, async () => {
    await lose(benchId);
    throw new ProviderFailure('server_error', { provider: 'sim', httpStatus: 500, reportedCostUsd: 0.00002 });
  });
  await expect(failing).rejects.toMatchObject({ type: 'CallFailed', nonRetryable: false });
  const rows = db.selectFrom('bench_llm_calls').select(['state', 'charged_usd']);
  expect(await rows.where('bench_id', '=', benchId).execute()).toEqual([
    { state: 'failed', charged_usd: 0.00002 },
  ]);
});

test('an answer whose budget is lost as well ends in one final failure that says what it cost', async () => {
  const benchId = await seedBench(db);
  const scope = candidateScope(`${benchId}/alpha`);
  const failing = call(benchId, async () => {
    await lose(benchId);
    await db.deleteFrom('bench_budgets').where('id', '=', scope).execute();
    return ANSWER;
  });
  const { key } = callOf(benchId);
  await expect(failing).rejects.toMatchObject({
    type: 'CallUnbookable',
    nonRetryable: true,
    message: `${key}#1: cost $0.00004 and cannot be booked: the database has lost its row and budget scope ${scope}`,
    details: [{ key, attempt: 1, missing: `budget scope ${scope}`, costUsd: COST_USD }],
  });
});
