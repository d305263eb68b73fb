import { fitCandidates, isDriftLeftOut } from '../ratings/candidate-fit';
import { areJudgesUninformative, judgeOrders } from '../ratings/judge-orders';
import {
  type ModelDifference,
  type OverallDifference,
  pipelineMinusRaw,
} from '../ratings/pipeline-minus-raw';
import { replicatesOf } from '../replicates';
import type { BenchReport } from './bench-report';

/** Runs of the same comparison: what the pipeline adds to each model, run by run and over all of them. */
export interface PipelineRuns {
  /** The benches, oldest first; equal in everything that ratings depend on but the seed. */
  benches: BenchReport[];
  /** Two to four runs in all: drift between them is not in the intervals. */
  isDriftLeftOut: boolean;
  models: ModelRuns[];
  /** The mean over the models, of all runs together. */
  overall: OverallDifference | null;
}

export interface ModelRuns {
  model: string;
  /** One a bench. */
  runs: (ModelDifference | null)[];
  /** All runs rated together; with one run, that run. */
  pooled: ModelDifference | null;
  /** Runs with a difference above and below zero. */
  positive: number;
  negative: number;
}

/** Only benches with ratings and with a model in both modes; those that may be put side by side, together. */
export function pipelineRuns(benches: readonly BenchReport[]): PipelineRuns[] {
  const groups = new Map<string, BenchReport[]>();
  for (const bench of benches) {
    if (bench.ratings === null || bench.pairs.length === 0) continue;
    const key = comparisonOf(bench);
    groups.set(key, [...(groups.get(key) ?? []), bench]);
  }
  return [...groups.values()].map(runsOf);
}

function runsOf(benches: BenchReport[]): PipelineRuns {
  const pairs = benches[0]!.pairs;
  const matches = benches.flatMap(({ ratedMatches }) => ratedMatches);
  const fit = fitCandidates(matches);
  const pooled = pipelineMinusRaw(
    fit,
    pairs.map((pair) => ({ ...pair, pipelineUsd: null, rawUsd: null })),
    areJudgesUninformative(judgeOrders(matches)),
  );
  return {
    benches,
    isDriftLeftOut: isDriftLeftOut(fit),
    overall: pooled.overall,
    models: pairs.map(({ model }, i) => {
      const runs = benches.map(({ ratings }) => ratings?.pipelineMinusRaw?.models[i] ?? null);
      return {
        model,
        runs,
        pooled: pooled.models[i] ?? null,
        positive: runs.filter((run) => (run?.elo ?? 0) > 0).length,
        negative: runs.filter((run) => (run?.elo ?? 0) < 0).length,
      };
    }),
  };
}

/** Ratings are on the judge's own scale: they may be put side by side only where all of this is equal. */
function comparisonOf({ plan }: BenchReport): string {
  const { goal, candidates, judges, reviewer, n, matches, orders, verdictMode, debateTurns, judgeView } =
    plan;
  const named = candidates.map(({ label, provider, model, mode }) => [label, provider, model, mode]);
  const judging = [...judges, ...(reviewer ? [reviewer] : [])].map(({ provider, model }) => [
    provider,
    model,
  ]);
  const { generation, thinking, literature, prompts } = plan;
  return JSON.stringify([
    ...[goal, named, judging, n, matches, orders, verdictMode, debateTurns, judgeView],
    ...[replicatesOf(plan), generation, thinking, literature, Object.entries(prompts).sort()],
  ]);
}
