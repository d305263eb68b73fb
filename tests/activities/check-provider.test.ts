import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { type ActivityDeps, DEFAULT_CALL_LIMITS } from '../../activities/activity-deps';
import { createCheckProvider } from '../../activities/check-provider';
import { openProviders } from '../../activities/providers';
import type { BenchPlan, PlannedModel } from '../../core/bench-plan';
import { seedBench, smallPlan } from '../db/seed-bench';
import { type RawDouble, type RawReply, type SeenRequest, startRawDouble } from '../doubles/raw-llm-double';
import { type WireName, wireAnswer } from '../doubles/wire-answers';
import { testDatabaseOfFile } from '../stack/test-database';
import { providerEnv } from './providers/provider-env';

const db = testDatabaseOfFile().open('worker');
let double: RawDouble;
let reply: (request: SeenRequest) => RawReply;
beforeAll(async () => {
  double = await startRawDouble((request) => reply(request));
});
afterAll(() => double.stop());

const price = (inputUsdPerMTok: number, outputUsdPerMTok: number) => ({
  ...{ inputUsdPerMTok, outputUsdPerMTok, cacheReadUsdPerMTok: null, cacheWriteUsdPerMTok: null },
  source: 'declared' as const,
});

/** What is wrong with a provider's models, by the probe. */
async function check(provider: string, models: string[], rates = price(1, 5)): Promise<string[]> {
  const candidates = models.map((model): BenchPlan['candidates'][number] => ({
    ...{ label: model.replaceAll('/', '-'), provider, model, mode: 'direct', price: rates },
  }));
  const judge: PlannedModel = { provider: 'sim', model: 'judge', price: price(1, 5) };
  const plan = smallPlan({ candidates, judges: [judge], reviewer: judge });
  const benchId = await seedBench(db, plan);
  const providers = openProviders(providerEnv(double.url));
  const deps = { db, providers, calls: DEFAULT_CALL_LIMITS } as unknown as ActivityDeps;
  const environment = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR', () => {}) });
  return environment.run(() => createCheckProvider(deps)({ benchId, epoch: 1, provider }));
}

const CALL = { tool: 'record_probe', arguments: { ready: 'yes' } };

function answered(wire: WireName, change: Partial<Parameters<typeof wireAnswer>[1]> = {}): RawReply {
  return { kind: 'json', body: wireAnswer(wire, { model: 'm', calls: [CALL], ...change }) };
}

test.each([
  ['anthropic', 'claude-haiku-4-5', 'messages'],
  ['openai', 'gpt-5', 'responses'],
  ['google', 'gemini-2.5-flash', 'gemini'],
  ['openrouter', 'openai/gpt-5-mini', 'openrouter'],
  ['openai-compatible', 'qwen3', 'chat'],
] as const)('%s:%s that makes the forced call is well', async (provider, model, wire) => {
  reply = () => answered(wire, { model: `${model}-2026-01-01` });
  expect(await check(provider, [model])).toEqual([]);
});

// As the makers' documentation has them: developers.openai.com/api/docs/guides/error-codes
test.each([
  [401, { code: 'invalid_api_key' }, 'unauthorized (the key is wrong, or may not use this model from here)'],
  [404, { code: 'model_not_found' }, 'bad_request (is there a model of this name, and does it take tools?)'],
  [
    429,
    { code: 'insufficient_quota' },
    'payment_required (no credit, a spend limit, or a quota that is used up)',
  ],
])('a refusal by %i %j is a problem at once', async (status, error, reason) => {
  reply = () => ({ kind: 'json', status, body: { error } });
  expect(await check('openai', ['gpt-5'])).toEqual([`openai:gpt-5: probe ended as ${reason}`]);
});

test('all that is wrong is told together: of three models one answers in words, one is not there', async () => {
  reply = ({ body }) => {
    const { model } = body as { model: string };
    if (model === 'gone') return { kind: 'json', status: 404, body: { error: { message: 'no' } } };
    return model === 'talks' ? answered('chat', { text: 'Yes.', calls: [] }) : answered('chat');
  };
  expect(await check('openai-compatible', ['talks', 'gone', 'well'])).toEqual([
    'openai-compatible:talks: probe ended as no_call (4 characters of words instead of a call)',
    'openai-compatible:gone: probe ended as bad_request (is there a model of this name, and does it take tools?)',
  ]);
});

test('a call that the low cap cut was begun: no problem', async () => {
  reply = () =>
    answered('messages', {
      ...{ model: 'claude-haiku-4-5', text: '{"rea', calls: [], ending: 'truncated' },
    });
  expect(await check('anthropic', ['claude-haiku-4-5'])).toEqual([]);
});

// ai.google.dev/gemini-api/docs/deprecations: from 2026-12-01 on requests are routed so, and billed at the new rates.
test('a model whose name another one answers to is a problem: gemini-2.5-pro, which is gemini-3.8-flash by now', async () => {
  reply = () => answered('gemini', { model: 'gemini-3.8-flash' });
  expect(await check('google', ['gemini-2.5-pro'])).toEqual([
    expect.stringMatching(
      /^google:gemini-2.5-pro: the probe was answered by "gemini-3.8-flash", another model/,
    ),
  ]);
  reply = () => answered('chat', { model: 'Qwen3-4B-Q8_0.gguf' });
  expect(await check('openai-compatible', ['mine'])).toEqual([]);
});

test('an answer that counts no tokens is a problem, but of a model that costs nothing or a provider that says the cost', async () => {
  const { usage: _, ...uncounted } = wireAnswer('chat', { model: 'm', calls: [CALL] });
  reply = () => ({ kind: 'json', body: uncounted });
  expect(await check('openai-compatible', ['m'])).toEqual([
    expect.stringContaining('openai-compatible:m: probe was answered without a count of tokens'),
  ]);
  expect(await check('openai-compatible', ['m'], price(0, 0))).toEqual([]);
  reply = () => ({ kind: 'json', body: { ...uncounted, usage: { cost: 0.0001 } } });
  expect(await check('openrouter', ['m'])).toEqual([]);
});

test('what it asks is one forced call and costs a cent at most, at $1 and $5 a million', async () => {
  reply = () => answered('chat');
  const before = double.requests.length;
  await check('openai-compatible', ['m']);
  const [{ body }, ...more] = double.requests.slice(before) as [SeenRequest, ...SeenRequest[]];
  expect(more).toEqual([]);
  expect(body).toMatchObject({ tool_choice: { function: { name: 'record_probe' } }, max_tokens: 1024 });
  const { bound_usd } = await db
    .selectFrom('bench_llm_calls')
    .select('bound_usd')
    .where('kind', '=', 'probe')
    .orderBy('sent_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  expect(bound_usd).toBeLessThanOrEqual(0.01);
});
