import type { BenchPlan } from '../../core/bench-plan';
import { formatModelRef } from '../../core/model-ref';
import { isScipivotAlone } from '../../core/planned-settings';
import { plannedVerdicts } from '../../core/planned-verdicts';
import { replicatesOf } from '../../core/replicates';
import { countText, usdText } from '../../core/report/figure-text';

/**
 * What of a bench is made up: nothing, all, or a part. With a part of them real its dollars are as well, and its
 * results are nothing that was measured.
 */
export function simulationNote({ candidates, judges, reviewer }: BenchPlan): string | null {
  const models = [...candidates, ...judges, ...(reviewer ? [reviewer] : [])];
  const simulated = models.filter(({ provider }) => provider === 'sim').length;
  if (simulated === 0) return null;
  return simulated === models.length ? 'simulated' : 'simulated in part';
}

/** The same, where a result is headed: whose dollars these are is said with it. */
export function simulationWords(plan: BenchPlan): string | null {
  const note = simulationNote(plan);
  return note === 'simulated' ? 'simulated, dollars included' : note;
}

/** What a bench will do and the most it may spend, a line each. */
export function describePlan(plan: BenchPlan): string[] {
  const { candidates, n, reviewer, goldSet, scipivot, seed } = plan;
  const runs = replicatesOf(plan);
  const review = reviewer ? `reviewed by ${formatModelRef(reviewer)}` : 'not reviewed';
  if (isScipivotAlone(plan)) {
    return [
      `${countText(candidates.length, 'candidate')} asked SciΠvot's ${scipivot}, every case in both orders`,
      describeCaps(plan),
    ];
  }
  return [
    `${countText(candidates.length, 'candidate')} × ${countText(n, 'hypothesis', 'hypotheses')}${runs > 1 ? ` × ${runs} runs` : ''}, ${review}`,
    ...(scipivot ? [`candidates and judge asked SciΠvot's ${scipivot}, every case in both orders`] : []),
    describeJudging(plan),
    `gold set ${goldSet ?? 'none'}, seed ${seed}, prices of ${plan.priceTable.asOf}`,
    describeCaps(plan),
  ];
}

function describeJudging(plan: BenchPlan): string {
  const { matches, verdicts, repeats } = plannedVerdicts(plan);
  if (matches === 0) return 'no matches';
  const { orders, judges, judgeView, verdictMode, debateTurns } = plan;
  const inOrders = orders === 'both' ? 'in both orders' : 'in one order each, alternating';
  const more = [
    ...(repeats > 0 ? [`${repeats} asked again`] : []),
    ...(verdictMode === 'debate' ? [`each after a debate of ${countText(debateTurns, 'turn')} a side`] : []),
    ...(judgeView === 'text' ? ['shown the texts alone'] : []),
  ];
  return [
    `${countText(matches, 'match', 'matches')} ${inOrders}: ${countText(verdicts, 'verdict')} by ${judges.map(formatModelRef).join(', ')}`,
    ...more,
  ].join(', ');
}

function describeCaps(plan: BenchPlan): string {
  const { candidates, budgets } = plan;
  const { perCandidateUsd, judgeUsd, benchUsd } = budgets;
  const sum = candidates.length * perCandidateUsd + judgeUsd;
  const most = benchUsd === null ? sum : Math.min(sum, benchUsd);
  const whole = benchUsd === null ? '' : `, ${formatCap(benchUsd)} the whole bench`;
  const caps = `${formatCap(perCandidateUsd)} each candidate, ${formatCap(judgeUsd)} judge and reviewer${whole}`;
  const note = simulationNote(plan);
  return `${note ? `${note}: ` : ''}caps ${caps}; at most ${formatCap(most)}`;
}

/** Caps are round numbers: two decimals where they are enough. */
function formatCap(usd: number): string {
  return Number.isInteger(usd * 100) ? `$${usd.toFixed(2)}` : usdText(usd);
}
