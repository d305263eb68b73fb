/** What calls came to: the known sum, and what is not in it. */
export interface Costs {
  costUsd: number;
  nUnknownCost: number;
  inDoubtUsd: number;
}

/** `$0.1234`, four decimals; what is above zero never shows as zero. */
export function formatUsd(usd: number): string {
  return usd > 0 && usd < 0.00005 ? '< $0.0001' : `$${usd.toFixed(4)}`;
}

/** The known cost; `≥` when some of it is unknown or in doubt, `unknown` when nothing is known. */
export function formatCost(costs: Costs): string {
  const isWhole = costs.nUnknownCost === 0 && costs.inDoubtUsd === 0;
  if (isWhole) return formatUsd(costs.costUsd);
  return costs.costUsd > 0 ? `≥ ${formatUsd(costs.costUsd)}` : 'unknown';
}

/**
 * What `formatCost` leaves out, in words; null when nothing.
 * @param isOver false: some of the calls may only not have come back yet
 */
export function costGaps({ nUnknownCost, inDoubtUsd }: Costs, isOver: boolean): string | null {
  const gaps: string[] = [];
  if (nUnknownCost > 0) gaps.push(`${nUnknownCost} ${nUnknownCost === 1 ? 'call' : 'calls'} of unknown cost`);
  if (inDoubtUsd > 0) gaps.push(`up to ${formatUsd(inDoubtUsd)} ${isOver ? 'in doubt' : 'out or in doubt'}`);
  return gaps.length > 0 ? gaps.join(', ') : null;
}

/** 950, 12.3k, 1.2M: three digits at most before the letter. */
export function formatTokens(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  if (tokens < 999_500) return `${(tokens / 1000).toFixed(tokens < 99_950 ? 1 : 0)}k`;
  return `${(tokens / 1e6).toFixed(tokens < 99.95e6 ? 1 : 0)}M`;
}
