import type { Order } from '../ids';
import type { Letter } from './public-case';

/**
 * Whether a judge leans to one place. Only cases whose two answers name different options can show it: a case
 * judged alike in both orders always has one first and one second.
 */
export interface PositionBias {
  /** Cases with the option shown first chosen in both orders. */
  firstFirst: number;
  /** Cases with the option shown second chosen in both orders. */
  secondSecond: number;
  /** Exact two-sided binomial test of firstFirst against ½. null: no flipped case. */
  pValue: number | null;
}

/** @param answers of each case answered in both orders, as the letters given */
export function positionBias(answers: readonly Record<Order, Letter>[]): PositionBias {
  const flipped = answers.filter(({ ab, ba }) => ab === ba);
  const firstFirst = flipped.filter(({ ab }) => ab === 'A').length;
  const secondSecond = flipped.length - firstFirst;
  return {
    firstFirst,
    secondSecond,
    pValue: flipped.length === 0 ? null : evenCoinP(firstFirst, flipped.length),
  };
}

/** The chance that n tosses of a fair coin come out at least as uneven as k heads. */
function evenCoinP(k: number, n: number): number {
  const fewer = Math.min(k, n - k);
  let logTerm = -n * Math.LN2;
  let tail = Math.exp(logTerm);
  for (let i = 1; i <= fewer; i++) {
    logTerm += Math.log((n - i + 1) / i);
    tail += Math.exp(logTerm);
  }
  return Math.min(1, 2 * tail);
}
