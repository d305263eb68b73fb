import { type JudgeAgreement, judgeAgreements } from './judge-agreement';
import { type FlaggedBench, type JudgeFlag, judgeFlags } from './judge-flags';
import { type JudgeOrders, judgeOrders } from './judge-orders';
import type { JudgedMatch } from './rated-match';

/** What a bench's verdicts tell of its judges. A night has it too, though its matches rate nobody. */
export interface JudgeConduct {
  /** By name; a judge without a valid verdict is not among them. */
  orders: JudgeOrders[];
  agreements: JudgeAgreement[];
  /** Empty while there is no valid verdict: then there is nothing to believe. */
  flags: JudgeFlag[];
}

/** @param matches all that the bench's judges judged, own and foreign */
export function judgeConduct(matches: readonly JudgedMatch[], flagged: FlaggedBench): JudgeConduct {
  const orders = judgeOrders(matches);
  return {
    orders,
    agreements: judgeAgreements(matches),
    flags: orders.length > 0 ? judgeFlags(flagged) : [],
  };
}
