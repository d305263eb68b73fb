import { ORDERS, type Order } from './ids';

/** A verdict that a match is to have: of which judge (its position in the plan), in which order. */
export interface AskedVerdict {
  judge: number;
  order: Order;
}

/**
 * The verdicts that a match's outcome is made of, judge by judge. In both orders, or each judge in one: then the
 * judges of a panel take turns, so that one match is seen from both sides by different judges.
 * @param oneOrder the order the first judge is shown; null: every judge is shown both
 */
export function askedVerdicts(judges: number, oneOrder: Order | null): AskedVerdict[] {
  return Array.from({ length: judges }, (_, judge) =>
    ordersOf(judge, oneOrder).map((order) => ({ judge, order })),
  ).flat();
}

function ordersOf(judge: number, oneOrder: Order | null): readonly Order[] {
  if (oneOrder === null) return ORDERS;
  return judge % 2 === 0 ? [oneOrder] : [oneOrder === 'ab' ? 'ba' : 'ab'];
}
