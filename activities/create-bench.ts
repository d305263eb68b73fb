import { ApplicationFailure } from '@temporalio/common';
import { ulid } from 'ulid';
import type { BenchPlan } from '../core/bench-plan';
import { BENCH_ID_PATTERN, candidateId } from '../core/ids';
import { createBenchRows } from '../db/benches';
import type { ActivityDeps, BenchRef } from './activity-deps';
import { planInput } from './plan-input';

export interface CreateBenchInput {
  /** As it came from whoever started the workflow: nothing of it has been checked. */
  input: unknown;
  namespace: string;
  workflowId: string;
  firstRunId: string;
}

/** What the workflows need of a bench: ids, labels and limits, no texts. */
export interface BenchHandle extends BenchRef {
  hasBenchIdAttribute: boolean;
  candidates: { id: string; label: string; provider: string }[];
  /** Positions in the plan's judges, with their providers. */
  judges: { provider: string }[];
  reviewerProvider: string | null;
  /** Providers to check before anything is paid, each once. */
  providers: string[];
  /** Whether any candidate uses the literature tools. */
  hasPipeline: boolean;
  matches: number;
  maxTurns: number;
  maxInFlight: number;
  hasGoldSet: boolean;
}

const MAX_PROBLEMS = 20;
const MAX_PROBLEM_LENGTH = 140;

/**
 * Validates, plans and prices the whole bench, then writes its rows. The verdict that counts, whoever started it.
 * @throws ApplicationFailure `InvalidBenchInput` (final) with every problem; then no row is written
 */
export function createCreateBench(deps: ActivityDeps) {
  return async function createBench(request: CreateBenchInput): Promise<BenchHandle> {
    const planned = planInput(request.input);
    if ('problems' in planned) throw invalidBenchInput(planned.problems);
    const bench = await createBenchRows(deps.db, request, {
      proposedId: proposeBenchId(request.workflowId),
      makeId: () => `bnc_${ulid()}`,
      ...planned,
    });
    return describeBench(bench, bench.plan, await deps.hasBenchIdAttribute());
  };
}

/** `bench-bnc_<ULID>` names its bench; any other workflow id leaves it to us. */
function proposeBenchId(workflowId: string): string | null {
  const id = workflowId.replace(/^bench-/, '');
  return id !== workflowId && BENCH_ID_PATTERN.test(id) ? id : null;
}

function describeBench(
  { id: benchId, epoch }: { id: string; epoch: number },
  plan: BenchPlan,
  hasBenchIdAttribute: boolean,
): BenchHandle {
  const models = [...plan.candidates, ...plan.judges, ...(plan.reviewer ? [plan.reviewer] : [])];
  return {
    benchId,
    epoch,
    hasBenchIdAttribute,
    candidates: plan.candidates.map(({ label, provider }) => ({
      id: candidateId(benchId, label),
      label,
      provider,
    })),
    judges: plan.judges.map(({ provider }) => ({ provider })),
    reviewerProvider: plan.reviewer?.provider ?? null,
    providers: [...new Set(models.map(({ provider }) => provider))].sort(),
    hasPipeline: plan.candidates.some(({ mode }) => mode === 'pipeline'),
    matches: plan.matches,
    maxTurns: plan.generation.maxTurns,
    maxInFlight: plan.maxInFlight,
    hasGoldSet: plan.goldSet !== null,
  };
}

/** Under 3 KB: Temporal cuts a failure at 4. */
function invalidBenchInput(problems: string[]): ApplicationFailure {
  const shown = problems
    .slice(0, MAX_PROBLEMS)
    .map((p) =>
      p.length > MAX_PROBLEM_LENGTH ? `${p.slice(0, MAX_PROBLEM_LENGTH - 1)}…`.toWellFormed() : p,
    );
  const more = problems.length - shown.length;
  if (more > 0) shown.push(`and ${more} more`);
  return ApplicationFailure.create({
    type: 'InvalidBenchInput',
    message: `${problems.length} ${problems.length === 1 ? 'problem' : 'problems'} in the bench input:\n- ${shown.join('\n- ')}`,
    nonRetryable: true,
    details: [{ problems: problems.length }],
  });
}
