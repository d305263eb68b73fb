import fc from 'fast-check';
import type { Usage } from '../../core/completion';
import {
  callBoundUsd,
  computeCostUsd,
  findPrice,
  type ModelPrice,
  roundUsd,
  sumUsd,
} from '../../core/prices';

/** Anthropic's rates for a $3 / $15 model: cache reads 0.1×, five-minute writes 1.25× the input rate. */
const SONNET: ModelPrice = {
  inputUsdPerMTok: 3,
  outputUsdPerMTok: 15,
  cacheReadUsdPerMTok: 0.3,
  cacheWriteUsdPerMTok: 3.75,
  source: 'table',
};
const GEMINI_PRO: ModelPrice = {
  ...{ inputUsdPerMTok: 1.25, outputUsdPerMTok: 10, cacheReadUsdPerMTok: 0.125, cacheWriteUsdPerMTok: null },
  longInput: {
    overInputTokens: 200_000,
    ...{ inputUsdPerMTok: 2.5, outputUsdPerMTok: 15, cacheReadUsdPerMTok: 0.25, cacheWriteUsdPerMTok: null },
  },
  source: 'table',
};
const NO_CACHE: ModelPrice = { ...SONNET, cacheReadUsdPerMTok: null, cacheWriteUsdPerMTok: null };
const USAGE: Usage = {
  inputTokens: 1000,
  cachedInputTokens: null,
  cacheWriteTokens: null,
  outputTokens: 500,
  reasoningTokens: null,
  reportedCostUsd: null,
};

describe('computeCostUsd', () => {
  // By hand: 1000 × 3 + 500 × 15 = 10,500 millionths.
  test('1000 input and 500 output tokens at $3 / $15 cost $0.0105', () => {
    expect(computeCostUsd(SONNET, USAGE)).toBe(0.0105);
  });

  // By hand: 300 × 3 + 600 × .3 + 100 × 3.75 + 500 × 15 = 900 + 180 + 375 + 7500 = 8955 millionths.
  test('of 1000 input tokens 600 read and 100 written are priced at their own rates: $0.008955', () => {
    const usage = { ...USAGE, cachedInputTokens: 600, cacheWriteTokens: 100 };
    expect(computeCostUsd(SONNET, usage)).toBe(0.008955);
  });

  test('cached parts cost the input rate, $0.0105 in all, where the table has no rate for them', () => {
    expect(computeCostUsd(NO_CACHE, { ...USAGE, cachedInputTokens: 600, cacheWriteTokens: 100 })).toBe(
      0.0105,
    );
  });

  // ai.google.dev/gemini-api/docs/pricing: Gemini 2.5 Pro is $1.25 / $10 up to 200,000 tokens of prompt, else $2.50 / $15.
  // By hand: 200,000 × 1.25 + 1000 × 10 = 260,000 millionths; 100,001 × 2.5 + 100,000 × .25 + 1000 × 15 = 290,002.5.
  test('all of a call over 200,000 tokens in, cached ones among them, is at the rates for it: $0.26, then $0.2900025', () => {
    const usage = { ...USAGE, outputTokens: 1000 };
    expect(computeCostUsd(GEMINI_PRO, { ...usage, inputTokens: 200_000 })).toBe(0.26);
    expect(computeCostUsd(GEMINI_PRO, { ...usage, inputTokens: 200_001, cachedInputTokens: 100_000 })).toBe(
      0.2900025,
    );
  });

  test('a model declared free costs 0, which is not null', () => {
    expect(computeCostUsd({ ...NO_CACHE, inputUsdPerMTok: 0, outputUsdPerMTok: 0 }, USAGE)).toBe(0);
  });

  test.each<[string, Partial<Usage>]>([
    ['no input count', { inputTokens: null }],
    ['no output count', { outputTokens: null }],
    ['more cached than input', { cachedInputTokens: 900, cacheWriteTokens: 101 }],
    ['a negative count', { outputTokens: -1 }],
    ['a count that is no number', { inputTokens: Number.NaN }],
  ])('%s: the cost is unknown, null', (_, change) => {
    expect(computeCostUsd(SONNET, { ...USAGE, ...change })).toBeNull();
  });
});

describe('callBoundUsd', () => {
  // By hand: 1000 × 3.75 + 200 × 15 = 6750 millionths.
  test('1000 bytes and a cap of 200 tokens hold $0.00675 before any call of the model has settled', () => {
    expect(callBoundUsd(SONNET, { requestBytes: 1000, maxOutputTokens: 200, tokensPerByte: null })).toBe(
      0.00675,
    );
  });

  // By hand: 1000 × .3 × 1.25 = 375 tokens; 375 × 3.75 + 200 × 15 = 4406.25 millionths.
  test('after .3 tokens a byte were seen it holds $0.00440625', () => {
    expect(callBoundUsd(SONNET, { requestBytes: 1000, maxOutputTokens: 200, tokensPerByte: 0.3 })).toBe(
      0.00440625,
    );
  });

  // By hand: a token a byte, 1000 × 3.75 + 200 × 15 = 6750 millionths. Claude Opus 4.7 adds 804 tokens of its own to
  // any forced call, so a probe of 500 bytes comes to two tokens a byte.
  test('two tokens a byte, seen in a short call, hold no more than one a byte: $0.00675', () => {
    expect(callBoundUsd(SONNET, { requestBytes: 1000, maxOutputTokens: 200, tokensPerByte: 2 })).toBe(
      0.00675,
    );
  });

  // By hand: 200,000 × 1.25 + 1000 × 10 = 260,000 millionths; 200,001 × 2.5 + 1000 × 15 = 515,002.5.
  test('a request that may be longer than 200,000 tokens holds the rates for it: $0.26, then $0.5150025', () => {
    const size = { maxOutputTokens: 1000, tokensPerByte: null };
    expect(callBoundUsd(GEMINI_PRO, { ...size, requestBytes: 200_000 })).toBe(0.26);
    expect(callBoundUsd(GEMINI_PRO, { ...size, requestBytes: 200_001 })).toBe(0.5150025);
  });

  test('a bound is rounded up: a token at a tenth of a millionth of a dollar a million holds $1e-12, not 0', () => {
    const price = { ...NO_CACHE, inputUsdPerMTok: 1e-7 };
    expect(callBoundUsd(price, { requestBytes: 1, maxOutputTokens: 0, tokensPerByte: null })).toBe(1e-12);
  });

  test('no usage within the bound’s tokens costs more than the bound', () => {
    const rate = fc.double({ min: 0, max: 200, noNaN: true });
    const rates = {
      inputUsdPerMTok: rate,
      outputUsdPerMTok: rate,
      cacheReadUsdPerMTok: fc.option(rate),
      cacheWriteUsdPerMTok: fc.option(rate),
    };
    const price = fc.record<ModelPrice>({
      ...rates,
      longInput: fc.record({ ...rates, overInputTokens: fc.nat(400_000) }),
      source: fc.constant('table'),
    });
    const counts = fc.record({
      plain: fc.nat(200_000),
      read: fc.nat(200_000),
      written: fc.nat(200_000),
      output: fc.nat(65_536),
    });
    fc.assert(
      fc.property(price, counts, (price, { plain, read, written, output }) => {
        const inputTokens = plain + read + written;
        const size = { requestBytes: inputTokens, maxOutputTokens: output, tokensPerByte: null };
        const usage = { ...USAGE, inputTokens, cachedInputTokens: read, cacheWriteTokens: written };
        expect(computeCostUsd(price, { ...usage, outputTokens: output })!).toBeLessThanOrEqual(
          callBoundUsd(price, size),
        );
      }),
    );
  });
});

describe('findPrice', () => {
  const table = {
    name: 't',
    asOf: '2026-10-01',
    prices: { 'openai:gpt-5': SONNET },
    providerPrices: { sim: NO_CACHE },
  };

  test.each(['gpt-5-mini', 'gpt', 'GPT-5', 'gpt-5 ', ''])(
    'openai:%s is not priced as openai:gpt-5',
    (model) => {
      expect(findPrice(table, 'openai', model)).toBeNull();
    },
  );

  test('the exact name is found, and every model of a provider with one price', () => {
    expect(findPrice(table, 'openai', 'gpt-5')).toBe(SONNET);
    expect(findPrice(table, 'sim', 'anything,skill=2')).toBe(NO_CACHE);
  });

  test.each(['constructor', '__proto__', 'toString'])('a provider named %s has no price', (provider) => {
    expect(findPrice(table, provider, 'm')).toBeNull();
  });
});

describe('sums', () => {
  test('100,000 calls of $0.1 come to $10000, not 10000.000000018848', () => {
    expect(sumUsd(Array.from({ length: 100_000 }, () => 0.1))).toBe(10_000);
  });

  test('a sum does not depend on the order of its amounts', () => {
    const amounts = fc.array(fc.double({ min: 0, max: 100, noNaN: true }).map(roundUsd));
    fc.assert(fc.property(amounts, (usd) => sumUsd(usd) === sumUsd([...usd].reverse())));
  });

  test('rounding twice is rounding once', () => {
    const amount = fc.double({ min: 0, max: 5000, noNaN: true });
    fc.assert(fc.property(amount, (usd) => roundUsd(roundUsd(usd)) === roundUsd(usd)));
  });
});
