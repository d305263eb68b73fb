import type { Usage } from './completion';
import { computeCostUsd, findPrice, type PriceTable, sumUsd } from './prices';

/** An answered call, as far as its price needs it. */
export interface PricedCall extends Omit<Usage, 'reportedCostUsd'> {
  /** Whose it was: a candidate's label, or `judge`, `probe`, … */
  who: string;
  provider: string;
  model: string;
  costUsd: number | null;
}

export interface RepricedLine {
  who: string;
  calls: number;
  /** As booked, as far as known; null: not known of any of the calls. */
  bookedUsd: number | null;
  /** Calls that are not in `bookedUsd`, since nobody knows their cost. */
  nUnknownCost: number;
  /** By the other table; null where it has no price for one of the models, or a call's tokens are unknown. */
  repricedUsd: number | null;
  /** Models the table lacks. */
  missing: string[];
}

/** What answered calls would have cost by another table, by whose they were, in the order of their first calls. */
export function repriceCalls(calls: readonly PricedCall[], table: PriceTable): RepricedLine[] {
  const whos = [...new Set(calls.map(({ who }) => who))];
  return whos.map((who) => {
    const own = calls.filter((call) => call.who === who);
    const missing = new Set<string>();
    const costs = own.map((call) => {
      const price = findPrice(table, call.provider, call.model);
      if (!price) missing.add(`${call.provider}:${call.model}`);
      return price ? computeCostUsd(price, { ...call, reportedCostUsd: null }) : null;
    });
    return {
      who,
      calls: own.length,
      bookedUsd: sumKnown(own.map(({ costUsd }) => costUsd)),
      nUnknownCost: own.filter(({ costUsd }) => costUsd === null).length,
      repricedUsd: costs.includes(null) ? null : sumUsd(costs.flatMap((cost) => cost ?? [])),
      missing: [...missing].sort(),
    };
  });
}

function sumKnown(costs: readonly (number | null)[]): number | null {
  const known = costs.flatMap((cost) => cost ?? []);
  return known.length > 0 ? sumUsd(known) : null;
}
