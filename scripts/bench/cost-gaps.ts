import type { KnownCosts } from '../../core/known-costs';
import { countText, usdText } from '../../core/report/figure-text';

/**
 * What `costText` leaves out, in words; null when nothing.
 * @param isOver false: some of the calls may only not have come back yet
 */
export function costGaps({ nUnknownCost, inDoubtUsd }: KnownCosts, isOver: boolean): string | null {
  const gaps: string[] = [];
  if (nUnknownCost > 0) gaps.push(`${countText(nUnknownCost, 'call')} of unknown cost`);
  if (inDoubtUsd > 0) gaps.push(`up to ${usdText(inDoubtUsd)} ${isOver ? 'in doubt' : 'out or in doubt'}`);
  return gaps.length > 0 ? gaps.join(', ') : null;
}
