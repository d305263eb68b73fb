import { sql } from 'kysely';
import type { BenchInput } from '../core/bench-input';
import type { BenchPlan } from '../core/bench-plan';
import { type BenchState, hasEnded } from '../core/bench-states';
import type { BenchSummary } from '../core/bench-summary';
import { BrokenInvariant } from '../core/broken-invariant';
import { benchScope, candidateId, candidateScope, hypothesisId, judgeScope } from '../core/ids';
import type { BenchRatings } from '../core/ratings/rate-bench';
import { slotsPerCandidate } from '../core/replicates';
import { statesBefore } from '../core/state-transitions';
import { askedTogether } from './asked-together';
import type { Database } from './database';
import { openBudgets } from './ledger';
import { publicId } from './public-id';
import type { OfferedTool } from './schema';
import { toJsonb } from './storable-text';

/** The workflow that a bench belongs to. A reset keeps `firstRunId`; a retry and a replay too. */
export interface BenchOwner {
  namespace: string;
  workflowId: string;
  firstRunId: string;
}

export interface BenchRow {
  id: string;
  epoch: number;
  state: BenchState;
  plan: BenchPlan;
  session: string;
  /** null until the literature gateway has said what it offers. */
  offeredTools: OfferedTool[] | null;
}

/** Thrown when another workflow run has taken the bench over since. */
export class BenchTakenOver extends Error {
  constructor(
    readonly benchId: string,
    readonly epoch: number,
    readonly currentEpoch: number | null,
  ) {
    super(`bench ${benchId}: taken over (epoch ${epoch}, now ${currentEpoch ?? 'gone'})`);
    this.name = 'BenchTakenOver';
  }
}

/**
 * Writes a bench with its candidates, slots and budgets, or finds the one this owner has already.
 * @param proposedId used when it is free
 * @param makeId makes another where it is not
 */
export async function createBenchRows(
  db: Database,
  owner: BenchOwner,
  bench: { proposedId: string | null; makeId: () => string; input: BenchInput; plan: BenchPlan },
): Promise<BenchRow> {
  return db.transaction().execute(async (tx) => {
    const known = await findBenchOfOwner(tx, owner);
    if (known) return known;
    const isFree =
      bench.proposedId !== null &&
      !(await tx.selectFrom('bench_runs').select('id').where('id', '=', bench.proposedId).executeTakeFirst());
    const id = isFree && bench.proposedId ? bench.proposedId : bench.makeId();
    const inserted = await insertRun(tx, id, owner, bench);
    if (inserted) await insertParts(tx, id, bench.plan);
    const row = await findBenchOfOwner(tx, owner);
    if (!row) throw new BrokenInvariant(`bench ${id}: not found after it was written`);
    return row;
  });
}

async function findBenchOfOwner(db: Database, owner: BenchOwner): Promise<BenchRow | undefined> {
  return db
    .selectFrom('bench_runs')
    .select(['id', 'epoch', 'state', 'plan', 'session', 'offered_tools as offeredTools'])
    .where('namespace', '=', owner.namespace)
    .where('workflow_id', '=', owner.workflowId)
    .where('first_run_id', '=', owner.firstRunId)
    .executeTakeFirst();
}

async function insertRun(
  db: Database,
  id: string,
  owner: BenchOwner,
  { input, plan }: { input: BenchInput; plan: BenchPlan },
): Promise<boolean> {
  const result = await db
    .insertInto('bench_runs')
    .values({
      id,
      namespace: owner.namespace,
      workflow_id: owner.workflowId,
      first_run_id: owner.firstRunId,
      state: 'planned',
      preset: plan.preset,
      goal: plan.goal,
      gold_set: plan.goldSet,
      seed: plan.seed,
      session: plan.session ?? id,
      input: JSON.stringify(input),
      plan: toJsonb(plan),
    })
    .onConflict((conflict) => conflict.columns(['namespace', 'workflow_id', 'first_run_id']).doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

async function insertParts(db: Database, benchId: string, plan: BenchPlan): Promise<void> {
  const candidates = plan.candidates.map((c, position) => ({
    id: candidateId(benchId, c.label),
    bench_id: benchId,
    position,
    label: c.label,
    provider: c.provider,
    model: c.model,
    mode: c.mode,
    state: 'planned' as const,
    n_planned: slotsPerCandidate(plan),
  }));
  await db.insertInto('bench_candidates').values(candidates).execute();
  for (const candidate of candidates) {
    const slots = Array.from({ length: slotsPerCandidate(plan) }, (_, i) =>
      hypothesisId(candidate.id, i + 1),
    );
    if (slots.length === 0) continue;
    await db
      .insertInto('bench_hypotheses')
      .values(
        slots.map((id, i) => ({
          id,
          bench_id: benchId,
          candidate_id: candidate.id,
          k: i + 1,
          public_id: publicId('hyp', id),
          state: 'planned' as const,
        })),
      )
      .execute();
  }
  await openBudgets(db, [
    { id: benchScope(benchId), benchId, kind: 'bench', capUsd: plan.budgets.benchUsd },
    { id: judgeScope(benchId), benchId, kind: 'judge', capUsd: plan.budgets.judgeUsd },
    ...candidates.map((c) => ({
      id: candidateScope(c.id),
      benchId,
      kind: 'candidate' as const,
      capUsd: plan.budgets.perCandidateUsd,
    })),
  ]);
}

/**
 * The bench's plan, for work that may still be done on it.
 * @throws BenchTakenOver when `epoch` is no longer the bench's
 */
export async function readOwnedBench(
  db: Database,
  { benchId, epoch }: { benchId: string; epoch: number },
): Promise<BenchRow> {
  const row = await findBench(db, benchId);
  if (row?.epoch !== epoch) throw new BenchTakenOver(benchId, epoch, row?.epoch ?? null);
  return row;
}

/** Together with others, since every activity asks. @returns undefined when there is no such bench */
export async function findBench(db: Database, benchId: string): Promise<BenchRow | undefined> {
  return findTogether(db, benchId);
}

/** Every activity of a pipeline asks for its bench. */
const findTogether = askedTogether<string, BenchRow | undefined>(
  () => 'benches',
  async (db, ids) => {
    const rows = await db
      .selectFrom('bench_runs')
      .select(['id', 'epoch', 'state', 'plan', 'session', 'offered_tools as offeredTools'])
      .where('id', '=', sql<string>`ANY (${[...new Set(ids)]})`)
      .execute();
    return ids.map((id) => rows.find((row) => row.id === id));
  },
);

/** What a bench was given. @throws Error when there is no such bench */
export async function readBenchInput(db: Database, benchId: string): Promise<BenchInput> {
  const runs = db.selectFrom('bench_runs').select('input').where('id', '=', benchId);
  return JSON.parse((await runs.executeTakeFirstOrThrow()).input) as BenchInput;
}

/** Moves a bench on where its state allows it. */
export async function setBenchState(
  db: Database,
  benchId: string,
  state: BenchState,
  failure?: { kind: string; detail: string },
): Promise<void> {
  await db
    .updateTable('bench_runs')
    .set({
      state,
      failure_kind: failure?.kind ?? null,
      failure_detail: failure?.detail ?? null,
      finished_at: hasEnded(state) ? sql<Date>`clock_timestamp()` : null,
      // One that goes on has no results any more: those it had were of less.
      ...(state === 'running' ? { summary: null, ratings: null } : {}),
    })
    .where('id', '=', benchId)
    .where('state', 'in', statesBefore('bench', state))
    .execute();
}

/** Writes the summary and ends the bench; the same again writes the same. */
export async function finishBenchRow(
  db: Database,
  summary: BenchSummary,
  ratings: BenchRatings | null,
): Promise<void> {
  await db
    .updateTable('bench_runs')
    .set((eb) => ({
      state: summary.status,
      summary: toJsonb(summary),
      ratings: ratings === null ? null : toJsonb(ratings),
      finished_at: eb.fn.coalesce('finished_at', sql<Date>`clock_timestamp()`),
    }))
    .where('id', '=', summary.benchId)
    .execute();
}

/** @returns the tools the bench has been offered: the first offer counts */
export async function offerTools(
  db: Database,
  benchId: string,
  tools: OfferedTool[],
): Promise<OfferedTool[]> {
  await db
    .updateTable('bench_runs')
    .set({ offered_tools: toJsonb(tools) })
    .where('id', '=', benchId)
    .where('offered_tools', 'is', null)
    .execute();
  const row = await db
    .selectFrom('bench_runs')
    .select('offered_tools')
    .where('id', '=', benchId)
    .executeTakeFirstOrThrow();
  return row.offered_tools ?? [];
}

/** @param reason why its tournament stands still by itself; null: it does not */
export async function setBenchHold(db: Database, benchId: string, reason: string | null): Promise<void> {
  await db.updateTable('bench_runs').set({ hold_reason: reason }).where('id', '=', benchId).execute();
}
