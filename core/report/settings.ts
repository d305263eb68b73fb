import type { BenchPlan } from '../bench-plan';
import { compareText } from '../compare-text';
import { formatModelRef } from '../model-ref';
import { replicatesOf } from '../replicates';
import type { BenchReport } from './bench-report';
import { countText, shareText } from './figure-text';

/** The settings of a bench by name, as a reader wants them. */
export function settingsOf({ plan, preset, session, seed, reportedModels }: BenchReport): [string, string][] {
  const { budgets, generation } = plan;
  return [
    ['preset', preset ?? 'none'],
    ['session', session],
    ['seed', String(seed)],
    ['hypotheses a candidate (n)', perRun(plan.n, plan)],
    ['matches a pair', perRun(plan.matches, plan)],
    ['judge', plan.judges.map((judge) => namedModel(judge, reportedModels)).join(', ')],
    ['reviewer', plan.reviewer ? namedModel(plan.reviewer, reportedModels) : 'none'],
    ['orders, verdict mode, judge’s view', `${plan.orders}, ${verdictModeText(plan)}, ${plan.judgeView}`],
    ['verdicts asked for again', plan.repeatShare === 0 ? 'none' : shareText(plan.repeatShare)],
    ['gold set, its sources', `${plan.goldSet ?? 'none'}, ${plan.goldSources}`],
    ['generation', generationText(plan)],
    ['thinking', plan.thinking === 'off' ? 'off' : `${plan.thinking} tokens (Anthropic alone)`],
    [
      'caps',
      `${capText(budgets.perCandidateUsd)} a candidate, ${capText(budgets.judgeUsd)} judge, bench ${capText(budgets.benchUsd)}; at the judge’s cap: ${plan.onJudgeCap}`,
    ],
    ['price table', `${plan.priceTable.name} (as of ${plan.priceTable.asOf})`],
    [
      'prompts',
      Object.entries(plan.prompts)
        .sort(([one], [other]) => compareText(one, other))
        .map(([name, version]) => `${name} ${version}`)
        .join(', '),
    ],
    ...plan.notes.map((note): [string, string] => ['note', note]),
    ['literature', plan.literature],
    ['most verdicts in flight', String(plan.maxInFlight)],
    ['generation limits', `${generation.maxOutputTokens} output tokens a call`],
  ];
}

function perRun(count: number, plan: BenchPlan): string {
  const runs = replicatesOf(plan);
  return runs > 1 ? `${count} in each of ${runs} runs` : String(count);
}

function verdictModeText({ verdictMode, debateTurns }: BenchPlan): string {
  return verdictMode === 'debate' ? `debate of ${countText(debateTurns, 'turn')} a side` : verdictMode;
}

function generationText({ generation, literature, candidates }: BenchPlan): string {
  if (!candidates.some(({ mode }) => mode === 'pipeline')) return 'direct: one call, no tools';
  return `pipeline: at most ${generation.maxTurns} turns, ${generation.maxToolCalls} tool calls, literature ${literature}`;
}

function namedModel(
  model: { provider: string; model: string },
  reported: Readonly<Record<string, string[]>>,
): string {
  const asked = formatModelRef(model);
  const names = (reported[asked] ?? []).filter((name) => name !== model.model);
  return names.length > 0 ? `${asked} (answered as ${names.join(', ')})` : asked;
}

function capText(usd: number | null): string {
  return usd === null ? 'none' : `$${usd}`;
}
