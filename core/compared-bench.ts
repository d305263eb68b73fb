import type { BenchPlan } from './bench-plan';
import { formatModelRef } from './model-ref';
import { fitCandidates } from './ratings/candidate-fit';
import { ratingsOfFit } from './ratings/candidate-ratings';
import type { BenchScale, ComparedBench } from './ratings/compare-benches';
import { areJudgesUninformative, judgeOrders } from './ratings/judge-orders';
import type { RatedBench } from './ratings/rate-bench';

/** A bench as it is set against another. */
export function comparedBenchOf(plan: BenchPlan, { matches, seed }: RatedBench): ComparedBench {
  const fit = fitCandidates(matches);
  const { candidates } = ratingsOfFit(fit, matches, { seed, draws: 1 });
  return {
    scale: scaleOf(plan),
    fit,
    ranking: candidates.map(({ candidate }) => candidate),
    identities: new Map(plan.candidates.map((c) => [c.label, `${formatModelRef(c)}@${c.mode}`])),
    isJudgeUninformative: areJudgesUninformative(judgeOrders(matches)),
  };
}

function scaleOf(plan: BenchPlan): BenchScale {
  const { judges, reviewer, goal, verdictMode, debateTurns, judgeView, orders } = plan;
  return {
    judges: judges.map(formatModelRef),
    reviewer: reviewer && formatModelRef(reviewer),
    prompts: promptsOf(plan),
    goal,
    verdictMode: verdictMode === 'debate' ? `debate, ${debateTurns} turns` : verdictMode,
    judgeView,
    orders,
  };
}

/** Those that shape neither a hypothesis nor a verdict are left out: a newer one must not make benches strangers. */
function promptsOf({ prompts, verdictMode, candidates, reviewer }: BenchPlan): string {
  const isUsed = (name: string): boolean => {
    if (name === 'probe' || name === 'talk') return false;
    if (name.startsWith('debate')) return verdictMode === 'debate';
    if (name === 'review') return reviewer !== null;
    if (name === 'generation-pipeline') return candidates.some(({ mode }) => mode === 'pipeline');
    if (name === 'generation-direct') return candidates.some(({ mode }) => mode === 'direct');
    return true;
  };
  return Object.entries(prompts)
    .filter(([name]) => isUsed(name))
    .map(([name, version]) => `${name} ${version}`)
    .sort()
    .join(', ');
}
