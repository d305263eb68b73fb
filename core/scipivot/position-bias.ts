import type { Order } from '../ids';
import { exactBinomialP } from '../ratings/exact-binomial';
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
    pValue: flipped.length === 0 ? null : exactBinomialP(firstFirst, flipped.length),
  };
}
