import type { ModelPrice } from '../../core/prices';
import { type PricedCall, repriceCalls } from '../../core/reprice';

const price = (inputUsdPerMTok: number, outputUsdPerMTok: number): ModelPrice => ({
  ...{ inputUsdPerMTok, outputUsdPerMTok, cacheReadUsdPerMTok: null, cacheWriteUsdPerMTok: null },
  source: 'table',
});
const TABLE = {
  name: 't',
  asOf: '2026-10-01',
  prices: {
    'openai:gpt-5': price(2, 20),
    'google:gemini-2.5-pro': {
      ...price(1.25, 10),
      longInput: { overInputTokens: 200_000, ...price(2.5, 15), source: undefined },
    } as ModelPrice,
  },
  providerPrices: {},
};
const call = (change: Partial<PricedCall>): PricedCall => ({
  who: 'a',
  ...{ provider: 'openai', model: 'gpt-5', costUsd: 0.5, inputTokens: 1000, outputTokens: 100 },
  ...{ cachedInputTokens: null, cacheWriteTokens: null, reasoningTokens: null },
  ...change,
});

// By hand: 1000 × 2 + 100 × 20 = 4000 millionths of a dollar a call.
test('two calls booked at $0.5 each are $1, and $0.008 by the table', () => {
  expect(repriceCalls([call({}), call({})], TABLE)).toEqual([
    { who: 'a', calls: 2, bookedUsd: 1, nUnknownCost: 0, repricedUsd: 0.008, missing: [] },
  ]);
});

test('a call of unknown cost is in no sum and is counted: at least $0.5 booked', () => {
  expect(repriceCalls([call({}), call({ costUsd: null })], TABLE)[0]).toMatchObject({
    ...{ bookedUsd: 0.5, nUnknownCost: 1, repricedUsd: 0.008 },
  });
  expect(repriceCalls([call({ costUsd: null })], TABLE)[0]).toMatchObject({
    bookedUsd: null,
    nUnknownCost: 1,
  });
});

test('one call without tokens, or of a model the table lacks, makes the whole line unknown', () => {
  expect(repriceCalls([call({}), call({ outputTokens: null })], TABLE)[0]).toMatchObject({
    ...{ repricedUsd: null, missing: [] },
  });
  expect(repriceCalls([call({}), call({ model: 'gpt-5-mini' })], TABLE)[0]).toMatchObject({
    ...{ repricedUsd: null, missing: ['openai:gpt-5-mini'] },
  });
});

// By hand: 200,001 × 2.5 + 100 × 15 = 501,502.5 millionths; 200,000 × 1.25 + 100 × 10 = 251,000.
test('each call is priced by its own length: $0.5015025 and $0.251', () => {
  const gemini = { provider: 'google', model: 'gemini-2.5-pro' };
  const calls = [200_001, 200_000].map((inputTokens, i) => call({ ...gemini, who: `w${i}`, inputTokens }));
  expect(repriceCalls(calls, TABLE).map(({ repricedUsd }) => repricedUsd)).toEqual([0.5015025, 0.251]);
});
