import { compareText } from '../../core/compare-text';
import type { ModelPrice, PriceTable, TokenRates } from '../../core/prices';
import { findPriceTable } from '../../presets';
import { splitTable, type ValueColumn } from './split-table';
import type { Colours } from './terminal';
import { hangingLines } from './wrapped-text';

/** The table in force, with the models that have `part` in their names. */
export function pricesWith(part: string): PriceTable {
  const table = findPriceTable();
  const keep = (prices: Record<string, ModelPrice>) =>
    Object.fromEntries(
      Object.entries(prices).filter(([name]) => name.toLowerCase().includes(part.toLowerCase())),
    );
  return { ...table, prices: keep(table.prices), providerPrices: keep(table.providerPrices) };
}

type NamedPrice = [name: string, price: TokenRates];

function longInputOf({ longInput }: ModelPrice): NamedPrice[] {
  return longInput
    ? [[`  over ${longInput.overInputTokens.toLocaleString('en-US')} tokens in`, longInput]]
    : [];
}

/**
 * USD per million tokens, by name.
 * @param width of the terminal
 */
export function pricesText(
  { asOf, prices, providerPrices }: PriceTable,
  width: number,
  { bold, dim }: Colours,
): string {
  const named: NamedPrice[] = [
    ...Object.entries(prices)
      .sort(([a], [b]) => compareText(a, b))
      .flatMap(([name, price]) => [[name, price], ...longInputOf(price)] as NamedPrice[]),
    ...Object.entries(providerPrices).map(([provider, price]): NamedPrice => [`${provider}:*`, price]),
  ];
  const said = (line: string) => hangingLines(line, width).join('\n');
  const head = said(`prices as of ${asOf}, USD per million tokens`);
  const foot = dim(
    said(
      "another model, or another price: --price 'provider:model=in/out', or in/out/cache read/cache write",
    ),
  );
  if (named.length === 0) return `${head}\nno model of that name has one\n${foot}\n`;
  const label: ValueColumn<NamedPrice> = { name: 'model', value: ([name]) => name };
  const rate = (name: string, of: (price: TokenRates) => number | null): ValueColumn<NamedPrice> => ({
    name,
    align: 'right',
    value: ([, price]) => formatRate(of(price)),
  });
  const columns = [
    label,
    rate('input', ({ inputUsdPerMTok }) => inputUsdPerMTok),
    rate('output', ({ outputUsdPerMTok }) => outputUsdPerMTok),
    rate('cache read', ({ cacheReadUsdPerMTok }) => cacheReadUsdPerMTok),
    rate('cache write', ({ cacheWriteUsdPerMTok }) => cacheWriteUsdPerMTok),
  ];
  const table = splitTable(columns, named, { label, width, bold });
  return `${head}\n\n${table}\n\n${dim('–: no rate of its own, charged as input')}\n${foot}\n`;
}

/** Two decimals at least, more where the rate has more. */
function formatRate(usd: number | null): string {
  if (usd === null) return '–';
  const [, decimals = ''] = String(usd).split('.');
  return usd.toFixed(Math.max(2, decimals.length));
}
