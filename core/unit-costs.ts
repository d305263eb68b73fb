import type { CallKind } from './bench-states';
import type { KnownCosts } from './known-costs';
import type { UnitCosts } from './ratings/power';

/** What a bench's calls of one kind came to; the same kind may stand there several times. */
export interface KindCosts extends KnownCosts {
  kind: CallKind;
}

/** What a hypothesis kept came to with its review and with the slots that brought none. */
const OF_HYPOTHESES: readonly CallKind[] = ['generation', 'review'];
const OF_VERDICTS: readonly CallKind[] = ['judge', 'debate'];

/**
 * What one more hypothesis and one more verdict would cost, going by those there are; null where a cost is unknown
 * or in doubt, or where there is none of either.
 * @param counts hypotheses kept and valid verdicts, repeats among them
 */
export function unitCostsOf(
  spent: readonly KindCosts[],
  counts: { hypotheses: number; verdicts: number },
): UnitCosts | null {
  const usdPerHypothesis = perUnit(spent, OF_HYPOTHESES, counts.hypotheses);
  const usdPerVerdict = perUnit(spent, OF_VERDICTS, counts.verdicts);
  return usdPerHypothesis === null || usdPerVerdict === null ? null : { usdPerHypothesis, usdPerVerdict };
}

function perUnit(spent: readonly KindCosts[], kinds: readonly CallKind[], count: number): number | null {
  const own = spent.filter(({ kind }) => kinds.includes(kind));
  if (count === 0 || own.some(({ nUnknownCost, inDoubtUsd }) => nUnknownCost > 0 || inDoubtUsd > 0))
    return null;
  return own.reduce((sum, { costUsd }) => sum + costUsd, 0) / count;
}
