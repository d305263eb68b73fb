import { roundUsd } from '../prices';
import type { Difference } from './difference';
import { differingFigures } from './difference';
import type { RecordedCall } from './recorded-bench';

/** A call's own sums, made again from what it cost and what it could cost. */
export function chargeDifferences(call: RecordedCall): Difference[] {
  const { state, reportedUsd, computedUsd, boundUsd } = call;
  const costUsd = reportedUsd ?? computedUsd;
  const isOpen = state === 'sent' || state === 'in_doubt';
  return differingFigures(`${call.key}#${call.attempt}`, {
    costUsd: [call.costUsd, costUsd],
    chargedUsd: [call.chargedUsd, isOpen ? boundUsd : (costUsd ?? boundUsd)],
    overrunUsd: [call.overrunUsd, costUsd === null ? 0 : Math.max(0, roundUsd(costUsd - boundUsd))],
  });
}
