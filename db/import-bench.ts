import type { RecordedAttempt, RecordedBench, RecordedMatch } from '../core/report/recorded-bench';
import type { Database } from './database';
import { requireOpponents } from './foreign-texts';
import { insertHypotheses } from './import-hypotheses';
import { insertBudgets, insertCalls } from './import-ledger';
import { insertScipivot } from './import-scipivot';
import { importedFirstRun } from './imported-owner';
import { insertParts } from './insert-parts';
import { insertRescores } from './rescores';
import { insertRubricScores } from './rubric-scores';
import { maybeJsonb, toJsonb } from './storable-text';

/** There is such a bench already, or one of the same workflow. */
export class BenchExists extends Error {
  constructor(readonly benchId: string) {
    super(`bench ${benchId} is in this database already`);
    this.name = 'BenchExists';
  }
}

/**
 * Writes a recorded bench as rows, all of it or nothing. It is a copy of what another ledger booked, hence the one
 * place besides the ledger's own files that writes there: nothing is sent, reserved or decided. No workflow works on it
 * until a resume.
 * @param db as a role that may write all tables of a bench, gold hits too: bench_owner, where roles are split
 * @param attempts of every call, those for rubric scores too, one key after the other
 * @throws BenchExists; OpponentsMissing; DataSetDiffers; what Postgres says of rows that cannot be
 */
export async function importBench(
  db: Database,
  bench: Omit<RecordedBench, 'calls'>,
  attempts: Iterable<readonly RecordedAttempt[]>,
): Promise<void> {
  const { benchId } = bench.run;
  await db.transaction().execute(async (tx) => {
    await insertRun(tx, bench.run);
    await insertCandidates(tx, bench);
    await insertHypotheses(tx, benchId, bench.hypotheses);
    await requireOpponents(tx, bench);
    await insertMatches(tx, benchId, bench.matches);
    await insertGoldHits(tx, bench);
    await insertRescores(tx, benchId, bench.rescores);
    await insertScipivot(tx, benchId, bench.scipivot);
    await insertCalls(tx, benchId, attempts);
    // After the calls: budgets that stand already would be locked and rewritten once a call.
    await insertBudgets(tx, benchId, bench.budgets);
    if (bench.rubric !== null) {
      await insertBudgets(tx, benchId, [{ ...bench.rubric.budget, kind: 'rubric' }]);
      await insertRubricScores(tx, benchId, bench.rubric.scores);
    }
  });
}

async function insertRun(db: Database, run: RecordedBench['run']): Promise<void> {
  const result = await db
    .insertInto('bench_runs')
    .values({
      id: run.benchId,
      namespace: run.namespace,
      workflow_id: run.workflowId,
      first_run_id: importedFirstRun(run.firstRunId),
      epoch: run.epoch,
      state: run.state,
      preset: run.preset,
      goal: run.goal,
      gold_set: run.goldSet,
      seed: run.seed,
      session: run.session,
      input: JSON.stringify(run.input),
      plan: toJsonb(run.plan),
      offered_tools: run.offeredTools === null ? null : toJsonb(run.offeredTools),
      failure_kind: run.failureKind,
      failure_detail: run.failureDetail,
      hold_reason: run.holdReason,
      summary: maybeJsonb(run.summary),
      ratings: maybeJsonb(run.ratings),
      created_at: run.createdAt,
      finished_at: run.finishedAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if ((result.numInsertedOrUpdatedRows ?? 0n) === 0n) throw new BenchExists(run.benchId);
}

async function insertCandidates(
  db: Database,
  { run, candidates }: Omit<RecordedBench, 'calls'>,
): Promise<void> {
  for (const rows of insertParts(candidates)) {
    await db
      .insertInto('bench_candidates')
      .values(
        rows.map((c) => ({
          id: c.id,
          bench_id: run.benchId,
          position: c.position,
          label: c.label,
          provider: c.provider,
          model: c.model,
          mode: c.mode,
          state: c.state,
          failure_kind: c.failureKind,
          hold_reason: c.holdReason,
          n_planned: c.nPlanned,
          n_hypotheses: c.nHypotheses,
          wins: c.wins,
          losses: c.losses,
          ties: c.ties,
          mean_elo: c.meanElo,
          top_elo: c.topElo,
          bt_elo: c.btElo,
          bt_low: c.btLow,
          bt_high: c.btHigh,
          gold_hits: c.goldHits,
          gold_hit_names: c.goldHitNames,
          total_cost_usd: c.totalCostUsd,
          n_unknown_cost: c.nUnknownCost,
          in_doubt_usd: c.inDoubtUsd,
          total_input_tok: c.inputTokens,
          total_output_tok: c.outputTokens,
        })),
      )
      .execute();
  }
}

async function insertMatches(
  db: Database,
  benchId: string,
  matches: readonly RecordedMatch[],
): Promise<void> {
  for (const rows of insertParts(matches)) {
    await db
      .insertInto('bench_matches')
      .values(
        rows.map((m) => ({
          id: m.id,
          bench_id: benchId,
          index: m.index,
          cand_a: m.candA,
          cand_b: m.candB,
          hyp_a: m.hypA,
          hyp_b: m.hypB,
          state: m.state,
          reason: m.reason,
          winner: m.winner,
          score_a: m.scoreA,
          agreement: m.agreement,
          rationale: m.rationale,
          judge_cost_usd: m.judgeCostUsd,
          one_order: m.oneOrder,
          repeats: m.repeats,
        })),
      )
      .execute();
  }
  // A panel's matches have many verdicts each, so these get parts of their own: a statement takes 65,535 values at most.
  const verdicts = matches.flatMap((m) => m.verdicts.map((v) => ({ ...v, matchId: m.id })));
  for (const rows of insertParts(verdicts)) {
    await db
      .insertInto('bench_verdicts')
      .values(
        rows.map((v) => ({
          match_id: v.matchId,
          order: v.order,
          judge: v.judge,
          repeat: v.repeat,
          bench_id: benchId,
          state: v.state,
          winner_position: v.winnerPosition,
          reason: v.reason,
          detail: v.detail,
          rationale: v.rationale,
          scores: maybeJsonb(v.scores),
          call_key: v.callKey,
        })),
      )
      .execute();
  }
}

async function insertGoldHits(db: Database, { run, goldHits }: Omit<RecordedBench, 'calls'>): Promise<void> {
  for (const rows of insertParts(goldHits)) {
    await db
      .insertInto('bench_gold_hits')
      .values(
        rows.map((hit) => ({
          hypothesis_id: hit.hypothesisId,
          gold_set: hit.goldSet,
          entity: hit.entity,
          field: hit.field,
          bench_id: run.benchId,
          alias: hit.alias,
          kind: hit.kind,
          excerpt: hit.excerpt,
          origin: hit.origin,
          origin_document: hit.originDocument,
        })),
      )
      .execute();
  }
}
