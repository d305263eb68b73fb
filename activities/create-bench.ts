import { ulid } from 'ulid';
import type { OnJudgeCap } from '../core/bench-input';
import { calledModels } from '../core/called-models';
import { argumentTurns } from '../core/debate';
import { BENCH_ID_PATTERN } from '../core/ids';
import { replicatesOf, runEnds } from '../core/replicates';
import { type BenchOwner, type BenchRow, createBenchRows } from '../db/benches';
import { readCandidates } from '../db/candidates';
import { findNight, linkNight } from '../db/nightlies';
import { readDataSets } from '../db/scipivot-sets';
import type { ActivityDeps, BenchRef } from './activity-deps';
import { checkBenchInput } from './bench-input-schema';
import { invalidBenchInput } from './invalid-bench-input';
import { planInput } from './plan-input';
import { resumeBench } from './resume-bench';

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
  /** How long a call of a model, or a tool, may be silent before its worker counts as dead, in milliseconds. */
  heartbeatMs: number;
  onJudgeCap: OnJudgeCap;
  /** Where there are replicates: the last slot of each run of a candidate's, in their order. */
  runEnds?: number[];
  /** Whether some verdicts are asked for again. */
  hasRepeats?: boolean;
  /** Before each verdict, both sides together; left out without a debate. */
  argumentTurns?: number;
  hasGoldSet: boolean;
  hasScipivot: boolean;
  /** One night of a nightly: its end is judged. */
  isNight: boolean;
}

/**
 * Validates, plans and prices the whole bench, then writes its rows. The verdict that counts, whoever started it.
 * @throws ApplicationFailure `InvalidBenchInput` (final) with every problem; then no row is written
 */
export function createCreateBench(deps: ActivityDeps) {
  return async function createBench(request: CreateBenchInput): Promise<BenchHandle> {
    const bench = isResume(request.input)
      ? await resumeOrRefuse(deps, request)
      : await planAndWrite(deps, request);
    return describeBench(deps, bench);
  };
}

async function planAndWrite(deps: ActivityDeps, request: CreateBenchInput): Promise<BenchRow> {
  const planned = planInput(request.input);
  if ('problems' in planned) throw invalidBenchInput(planned.problems);
  const unknown = await dataSetProblems(deps, planned.plan.scipivot);
  if (unknown.length > 0) throw invalidBenchInput(unknown);
  const bench = await createBenchRows(deps.db, request, {
    proposedId: proposeBenchId(request.workflowId),
    makeId: () => `bnc_${ulid()}`,
    ...planned,
  });
  await linkNight(deps.db, ownerOf(request), bench.id);
  return bench;
}

/** Data sets are rows, not presets: the pure planner does not know them. */
async function dataSetProblems({ db }: ActivityDeps, name: string | null): Promise<string[]> {
  if (name === null) return [];
  const known = (await readDataSets(db)).map((set) => set.name);
  if (known.includes(name)) return [];
  const there = known.length > 0 ? `loaded: ${known.join(', ')}` : 'none is loaded';
  return [
    `scipivot: no data set ${JSON.stringify(name)} (${there}; co-scientist scipivot load brings one in)`,
  ];
}

function isResume(input: unknown): boolean {
  return (
    typeof input === 'object' &&
    input !== null &&
    (Object.hasOwn(input, 'resume') || Object.hasOwn(input, 'takeOver'))
  );
}

async function resumeOrRefuse(deps: ActivityDeps, request: CreateBenchInput): Promise<BenchRow> {
  const checked = checkBenchInput(request.input);
  if ('problems' in checked) throw invalidBenchInput(checked.problems);
  const { resume: benchId = '', takeOver = false, ...others } = checked.input;
  const problems = Object.keys(others).map(
    (field) => `${field}: cannot stand beside resume: a bench goes on as it was planned (start a new one)`,
  );
  if (benchId === '') problems.push('resume: name the bench that takeOver is about');
  if (problems.length > 0) throw invalidBenchInput(problems);
  const resumed = await resumeBench(deps, { benchId, takeOver, owner: ownerOf(request) });
  if ('problems' in resumed) throw invalidBenchInput(resumed.problems);
  return resumed;
}

function ownerOf({ namespace, workflowId, firstRunId }: CreateBenchInput): BenchOwner {
  return { namespace, workflowId, firstRunId };
}

/** `bench-bnc_<ULID>` names its bench; any other workflow id leaves it to us. */
function proposeBenchId(workflowId: string): string | null {
  const id = workflowId.replace(/^bench-/, '');
  return id !== workflowId && BENCH_ID_PATTERN.test(id) ? id : null;
}

async function describeBench(
  deps: ActivityDeps,
  { id: benchId, epoch, plan }: BenchRow,
): Promise<BenchHandle> {
  const candidates = await readCandidates(deps.db, benchId);
  return {
    benchId,
    epoch,
    hasBenchIdAttribute: await deps.hasBenchIdAttribute(),
    candidates: candidates
      .filter(({ state }) => state !== 'dropped')
      .map(({ id, label, provider }) => ({ id, label, provider })),
    judges: plan.judges.map(({ provider }) => ({ provider })),
    reviewerProvider: plan.reviewer?.provider ?? null,
    providers: [...new Set(calledModels(plan).map(({ provider }) => provider))].sort(),
    hasPipeline: plan.n > 0 && plan.candidates.some(({ mode }) => mode === 'pipeline'),
    matches: plan.matches,
    maxTurns: plan.generation.maxTurns,
    maxInFlight: plan.maxInFlight,
    heartbeatMs: deps.calls.leaseMs,
    onJudgeCap: plan.onJudgeCap,
    ...(replicatesOf(plan) > 1 ? { runEnds: runEnds(plan) } : {}),
    ...(plan.repeatShare > 0 ? { hasRepeats: true } : {}),
    ...(argumentTurns(plan) > 0 ? { argumentTurns: argumentTurns(plan) } : {}),
    hasGoldSet: plan.goldSet !== null,
    // Plans written before there was SciΠvot do not have the field.
    hasScipivot: Boolean(plan.scipivot),
    isNight: (await findNight(deps.db, benchId)) !== undefined,
  };
}
