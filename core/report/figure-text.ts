import type { KnownCosts } from '../known-costs';
import type { Interval } from '../ratings/interval';
import type { Proportion } from '../ratings/wilson';

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
export function costText(costs: KnownCosts): string {
  if (costs.nUnknownCost === 0 && costs.inDoubtUsd === 0) return usdText(costs.costUsd);
  return costs.costUsd > 0 ? `≥ ${usdText(costs.costUsd)}` : 'unknown';
}

/** A match's score for a side: `0.75`, and of a panel at most three decimals. */
export function scoreText(score: number | null): string {
  return score === null ? NONE : String(Number(score.toFixed(3)));
}

/** From so many on, a step of one is about as small as the decimal of a per cent. */
const DECIMAL_FROM = 100;

/**
 * `33.9 %`, and `34 %` of fewer than a hundred: one of them more or less would be a whole per cent or more.
 * @param of what the share is one of; left out: a share that is none of a count
 */
export function shareText(share: number | null, of = DECIMAL_FROM): string {
  return share === null ? NONE : `${(share * 100).toFixed(of < DECIMAL_FROM ? 0 : 1)} %`;
}

/** `34 % (19 of 56)`. */
export function proportionText({ count, of, share }: Proportion): string {
  return share === null ? NONE : `${shareText(share, of)} (${count} of ${of})`;
}

/** `34 % (23–47 %)`: a share of a count with its 95 % interval. */
export function shareWithIntervalText({ of, share, interval }: Proportion): string {
  if (interval === null) return shareText(share, of);
  return `${shareText(share, of)} (${(100 * interval.low).toFixed(0)}–${(100 * interval.high).toFixed(0)} %)`;
}

/** An estimate, or a chance that was drawn: whole per cents are as much as it is good for. */
export function roughShareText(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

/** −1 to 1, two decimals. */
export function kappaText(kappa: number | null): string {
  return kappa === null ? NONE : kappa.toFixed(2).replace('-', '−').replace('−0.00', '0.00');
}

/**
 * Of a bench's judges together; `unknown` where nobody counted their flips.
 * @param of the matches in both orders, of each judge
 */
export function flipRateText(
  { flips, flipRate }: { flips: number | null; flipRate: number | null },
  of?: number,
): string {
  return flips === null ? 'unknown' : shareText(flipRate, of);
}

/** 950, 12.3k, 1.2M: three digits at most before the letter. */
export function tokensText(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  if (tokens < 999_500) return `${(tokens / 1000).toFixed(tokens < 99_950 ? 1 : 0)}k`;
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
