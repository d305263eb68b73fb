import type { ModelPrice, PriceTable } from '../../core/prices';
import { findPriceTable } from '../../presets';
import { plainTable } from './plain-table';
import type { Colours } from './terminal';

/** The table in force, with the models that have `part` in their names. */
export function pricesWith(part: string): PriceTable {
  const table = findPriceTable();
  const keep = (prices: Record<string, ModelPrice>) =>
    Object.fromEntries(
      Object.entries(prices).filter(([name]) => name.toLowerCase().includes(part.toLowerCase())),
    );
  return { ...table, prices: keep(table.prices), providerPrices: keep(table.providerPrices) };
}

/** USD per million tokens, by name. */
export function pricesText({ asOf, prices, providerPrices }: PriceTable, { bold, dim }: Colours): string {
  const named = [
    ...Object.entries(prices).sort(([a], [b]) => (a < b ? -1 : 1)),
    ...Object.entries(providerPrices).map(([provider, price]) => [`${provider}:*`, price] as const),
  ];
  const head = `prices as of ${asOf}, USD per million tokens`;
  const foot = dim("another model, or another price: --price 'provider:model=in/out'");
  if (named.length === 0) return `${head}\nno model of that name has one\n${foot}\n`;
  const table = plainTable(
    [
      { name: 'model' },
      { name: 'input', align: 'right' },
      { name: 'output', align: 'right' },
      { name: 'cache read', align: 'right' },
      { name: 'cache write', align: 'right' },
    ],
    named.map(([name, price]) => [
      name,
      formatRate(price.inputUsdPerMTok),
      formatRate(price.outputUsdPerMTok),
      formatRate(price.cacheReadUsdPerMTok),
      formatRate(price.cacheWriteUsdPerMTok),
    ]),
    bold,
  );
  return `${head}\n\n${table}\n\n${dim('–: no rate of its own, charged as input')}\n${foot}\n`;
}

function formatRate(usd: number | null): string {
  if (usd === null) return '–';
  return Number.isInteger(usd * 100) ? usd.toFixed(2) : String(usd);
}
