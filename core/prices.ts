import type { DeclaredPrice } from './bench-input';
import type { Usage } from './completion';

/** What tokens cost, in USD per million. 0 is a price (a local model, said to be free), not "unknown". */
export interface TokenRates {
  inputUsdPerMTok: number;
  outputUsdPerMTok: number;
  /** Input read from the provider's cache; null: the table has no rate of its own for it. */
  cacheReadUsdPerMTok: number | null;
  /** Input written to the provider's cache; null: the table has no rate of its own for it. */
  cacheWriteUsdPerMTok: number | null;
}

/** What a model's tokens cost. */
export interface ModelPrice extends TokenRates {
  /** The rates of all of a call whose whole input is longer than this; left out: there are no others. */
  longInput?: TokenRates & { overInputTokens: number };
  /** From the dated table, or declared in `BenchInput.prices`. */
  source: 'table' | 'declared';
}

/** Prices as recorded on one day. */
export interface PriceTable {
  name: string;
  /** The day the prices were recorded, `YYYY-MM-DD`. */
  asOf: string;
  /** By `provider:model`, exactly as a candidate names it. */
  prices: Record<string, ModelPrice>;
  /** Providers whose every model has one price. */
  providerPrices: Record<string, ModelPrice>;
}

/** The price under exactly this name, or the provider's one price; never that of a similar name. */
export function findPrice(table: PriceTable, provider: string, model: string): ModelPrice | null {
  const name = `${provider}:${model}`;
  if (Object.hasOwn(table.prices, name)) return table.prices[name]!;
  return Object.hasOwn(table.providerPrices, provider) ? table.providerPrices[provider]! : null;
}

/**
 * A price as somebody declares it. Where it says nothing of the cache, input read from it costs as any other, and so does
 * input written to it, but for OpenAI's: from GPT-5.6 on they write unasked, at 1.25 × the input rate
 * (developers.openai.com/api/docs/guides/prompt-caching).
 */
export function declaredPrice(provider: string, declared: DeclaredPrice): ModelPrice {
  const { inputUsdPerMTok, cacheReadUsdPerMTok, cacheWriteUsdPerMTok } = declared;
  const usualWrite = provider === 'openai' ? roundUsd(inputUsdPerMTok * 1.25) : null;
  return {
    ...declared,
    cacheReadUsdPerMTok: cacheReadUsdPerMTok ?? null,
    cacheWriteUsdPerMTok: cacheWriteUsdPerMTok ?? usualWrite,
    source: 'declared',
  };
}

/**
 * What the call cost by its tokens, in USD to 12 decimals. `inputTokens` holds the cached and the written
 * parts: those are priced at their own rates, or at the input rate where the table has none; parts the
 * provider does not report are taken as ordinary input.
 *
 * @returns null where it cannot be known: no input or output count, or parts that exceed the whole
 */
export function computeCostUsd(price: ModelPrice, usage: Usage): number | null {
  const { inputTokens, outputTokens } = usage;
  const read = usage.cachedInputTokens ?? 0;
  const written = usage.cacheWriteTokens ?? 0;
  if (inputTokens === null || outputTokens === null) return null;
  const plain = inputTokens - read - written;
  if (![plain, read, written, outputTokens].every((count) => count >= 0 && count < Infinity)) return null;
  const { longInput } = price;
  const rates = longInput && inputTokens > longInput.overInputTokens ? longInput : price;
  const inputCost =
    plain * rates.inputUsdPerMTok +
    read * (rates.cacheReadUsdPerMTok ?? rates.inputUsdPerMTok) +
    written * (rates.cacheWriteUsdPerMTok ?? rates.inputUsdPerMTok);
  return roundUsd((inputCost + outputTokens * rates.outputUsdPerMTok) / 1e6);
}

export interface CallSize {
  /** UTF-8 bytes of the request's body. */
  requestBytes: number;
  /** The cap sent with the request. */
  maxOutputTokens: number;
  /** The most input tokens a byte seen in settled calls of this model; null before there is one. */
  tokensPerByte: number | null;
}

/** How far a request may exceed the tokens per byte seen so far. */
const TOKENS_PER_BYTE_MARGIN = 1.25;

/**
 * The most a call can cost, in USD, rounded up to 12 decimals: its input bound at the dearest input rate and
 * its output cap at the output rate. The input bound is a token a byte (a token has at least one) until calls
 * of the model have settled, then the most tokens a byte seen, times 1.25, and never more than a token a byte: what a
 * provider adds unseen (Claude's instructions on tools are some hundred tokens) makes a short request look dense, and
 * says nothing of a long one.
 */
export function callBoundUsd(price: ModelPrice, size: CallSize): number {
  const { requestBytes, maxOutputTokens, tokensPerByte } = size;
  const inputBound = Math.ceil(requestBytes * Math.min(1, (tokensPerByte ?? 1) * TOKENS_PER_BYTE_MARGIN));
  const { longInput } = price;
  const rates = longInput && inputBound > longInput.overInputTokens ? [price, longInput] : [price];
  const bound = Math.max(...rates.map((rate) => boundAt(rate, inputBound, maxOutputTokens)));
  const rounded = roundUsd(bound);
  return rounded < bound ? roundUsd(rounded + 1e-12) : rounded;
}

function boundAt(rates: TokenRates, inputBound: number, maxOutputTokens: number): number {
  const { inputUsdPerMTok, cacheReadUsdPerMTok, cacheWriteUsdPerMTok, outputUsdPerMTok } = rates;
  const inputRate = Math.max(inputUsdPerMTok, cacheReadUsdPerMTok ?? 0, cacheWriteUsdPerMTok ?? 0);
  return (inputBound * inputRate + maxOutputTokens * outputUsdPerMTok) / 1e6;
}

/** To 12 decimals, a millionth of a token at a dollar a million: what the database stores. */
export function roundUsd(usd: number): number {
  return Math.round(usd * 1e12) / 1e12;
}

/** Exact over amounts of 12 decimals, whatever their order; 0 of none. */
export function sumUsd(amounts: Iterable<number>): number {
  let picoUsd = 0n;
  for (const usd of amounts) picoUsd += BigInt(Math.round(usd * 1e12));
  return Number(picoUsd) / 1e12;
}
