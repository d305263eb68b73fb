import type { Usage } from './completion';

/** What a model's tokens cost, in USD per million. 0 is a price (a local model, said to be free), not "unknown". */
export interface ModelPrice {
  inputUsdPerMTok: number;
  outputUsdPerMTok: number;
  /** Input read from the provider's cache; null: the table has no rate of its own for it. */
  cacheReadUsdPerMTok: number | null;
  /** Input written to the provider's cache; null: the table has no rate of its own for it. */
  cacheWriteUsdPerMTok: number | null;
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
  const inputCost =
    plain * price.inputUsdPerMTok +
    read * (price.cacheReadUsdPerMTok ?? price.inputUsdPerMTok) +
    written * (price.cacheWriteUsdPerMTok ?? price.inputUsdPerMTok);
  return roundUsd((inputCost + outputTokens * price.outputUsdPerMTok) / 1e6);
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
 * of the model have settled, then the most tokens a byte seen, times 1.25.
 */
export function callBoundUsd(price: ModelPrice, size: CallSize): number {
  const tokensPerByte = size.tokensPerByte === null ? 1 : size.tokensPerByte * TOKENS_PER_BYTE_MARGIN;
  const inputBound = Math.ceil(size.requestBytes * tokensPerByte);
  const inputRate = Math.max(
    price.inputUsdPerMTok,
    price.cacheReadUsdPerMTok ?? 0,
    price.cacheWriteUsdPerMTok ?? 0,
  );
  const bound = (inputBound * inputRate + size.maxOutputTokens * price.outputUsdPerMTok) / 1e6;
  const rounded = roundUsd(bound);
  return rounded < bound ? roundUsd(rounded + 1e-12) : rounded;
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
