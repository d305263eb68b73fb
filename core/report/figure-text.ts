import type { Interval } from '../ratings/interval';

/** Figures as every report writes them, so that no two differ in how they round. */

export const NONE = '–';

export function eloText(elo: number | null): string {
  return elo === null ? NONE : wholeText(elo);
}

/** A difference, with its sign. */
export function signedEloText(elo: number | null): string {
  if (elo === null) return NONE;
  const text = wholeText(elo);
  return text === '0' || text.startsWith('−') ? text : `+${text}`;
}

export function intervalText(interval: Interval | null): string {
  return interval === null ? 'no interval' : `${wholeText(interval.low)} to ${wholeText(interval.high)}`;
}

export function signedIntervalText(interval: Interval | null): string {
  if (interval === null) return 'no interval';
  return `${signedEloText(interval.low)} to ${signedEloText(interval.high)}`;
}

export function rankText(low: number | null, high: number | null): string {
  if (low === null || high === null) return NONE;
  return low === high ? String(low) : `${low}–${high}`;
}

/** `$0.1234`, four decimals; what is above zero never shows as zero. */
export function usdText(usd: number): string {
  if (usd > 0 && usd < 0.00005) return '< $0.0001';
  return usd < 0 ? `−$${(-usd).toFixed(4)}` : `$${usd.toFixed(4)}`;
}

/** The known cost; `≥` when some of it is unknown or in doubt, `unknown` when nothing is known. */
export function costText(costs: { costUsd: number; nUnknownCost: number; inDoubtUsd: number }): string {
  if (costs.nUnknownCost === 0 && costs.inDoubtUsd === 0) return usdText(costs.costUsd);
  return costs.costUsd > 0 ? `≥ ${usdText(costs.costUsd)}` : 'unknown';
}

/** A match's score for a side: `0.75`, and of a panel at most three decimals. */
export function scoreText(score: number | null): string {
  return score === null ? NONE : String(Number(score.toFixed(3)));
}

export function shareText(share: number | null): string {
  return share === null ? NONE : `${(share * 100).toFixed(1)} %`;
}

/** Of a bench's judges together; `unknown` where nobody counted their flips. */
export function flipRateText({ flips, flipRate }: { flips: number | null; flipRate: number | null }): string {
  return flips === null ? 'unknown' : shareText(flipRate);
}

/** 950, 12.3k, 1.2M: three digits at most before the letter. */
export function tokensText(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  if (tokens < 999_950) return `${(tokens / 1000).toFixed(tokens < 99_950 ? 1 : 0)}k`;
  return `${(tokens / 1e6).toFixed(tokens < 99.95e6 ? 1 : 0)}M`;
}

export function durationText(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  return ms < 99_950 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
}

/** `p = .018`, `p < .0001`. */
export function pValueText(p: number): string {
  if (p < 0.0001) return 'p < .0001';
  return `p = ${p >= 0.9995 ? '1' : p.toFixed(p < 0.01 ? 4 : 3).replace(/^0/, '')}`;
}

/** `2 × duplicate, truncated`, or a dash. */
export function countsText(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(([kind, count]) => (count > 1 ? `${count} × ${kind}` : kind));
  return parts.length > 0 ? parts.join(', ') : NONE;
}

export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** `3`, or `3 to 8`. */
export function rangeText(values: readonly number[], write: (value: number) => string = String): string {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return low === high ? write(low) : `${write(low)} to ${write(high)}`;
}

/** To the second, UTC. */
export function momentText(moment: string): string {
  return `${moment.slice(0, 10)} ${moment.slice(11, 19)} UTC`;
}

/** With a true minus sign, and none before a zero. */
function wholeText(value: number): string {
  const rounded = Math.round(value);
  return rounded < 0 ? `−${-rounded}` : String(rounded === 0 ? 0 : rounded);
}
