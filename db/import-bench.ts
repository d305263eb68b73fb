import type {
  RecordedAttempt,
  RecordedBench,
  RecordedHypothesis,
  RecordedMatch,
} from '../core/report/recorded-bench';
import type { Database } from './database';
import { requireOpponents } from './foreign-texts';
import { insertBudgets, insertCalls } from './import-ledger';
import { insertScipivot } from './import-scipivot';
import { insertRescores } from './rescores';
import { toJsonb } from './storable-text';

/** There is such a bench already, or one of the same workflow. */
export class BenchExists extends Error {
  constructor(readonly benchId: string) {
    super(`bench ${benchId} is in this database already`);
    this.name = 'BenchExists';
  }
}

const ROWS_PER_INSERT = 500;

/**
 * Writes a recorded bench as rows, all of it or nothing. It is a copy of what another ledger booked, hence the one
 * place besides db/ledger.ts that writes there: nothing is sent, reserved or decided.
 * @param db as a role that may write all tables of a bench, gold hits too: bench_owner, where roles are split
 * @param attempts of every call, one key after the other
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
  });
}

async function insertRun(db: Database, run: RecordedBench['run']): Promise<void> {
  const result = await db
    .insertInto('bench_runs')
    .values({
      id: run.benchId,
      namespace: run.namespace,
      workflow_id: run.workflowId,
      first_run_id: run.firstRunId,
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
  for (const rows of parts(candidates, ROWS_PER_INSERT)) {
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

async function insertHypotheses(
  db: Database,
  benchId: string,
  hypotheses: readonly RecordedHypothesis[],
): Promise<void> {
  for (const rows of parts(hypotheses, ROWS_PER_INSERT)) {
    await db
      .insertInto('bench_hypotheses')
      .values(rows.map((h) => hypothesisRow(benchId, h)))
      .execute();
  }
  // Once all are there: a duplicate may be one of a slot that comes later.
  for (const { id, duplicateOf } of hypotheses) {
    if (duplicateOf === null) continue;
    await db
      .updateTable('bench_hypotheses')
      .set({ duplicate_of: duplicateOf })
      .where('id', '=', id)
      .execute();
  }
  for (const hypothesis of hypotheses) {
    await insertReview(db, benchId, hypothesis);
    await insertToolCalls(db, benchId, hypothesis);
  }
}

function hypothesisRow(benchId: string, h: RecordedHypothesis) {
  return {
    id: h.id,
    bench_id: benchId,
    candidate_id: h.candidateId,
    k: h.k,
    public_id: h.publicId,
    state: h.state,
    failure_kind: h.failureKind,
    failure_detail: h.failureDetail,
    draft_kind: h.draftKind,
    title: h.record?.title ?? null,
    summary: h.record?.summary ?? null,
    full_text: h.record?.fullText ?? null,
    mechanism: h.record?.mechanism ?? null,
    entities: maybeJsonb(h.record?.entities),
    citations: maybeJsonb(h.record?.citations),
    unsupported_citations: maybeJsonb(h.unsupportedCitations),
    falsification: h.record?.falsification ?? null,
    content_sha256: h.contentSha256,
    elo: h.elo,
  };
}

async function insertReview(
  db: Database,
  benchId: string,
  { id, review }: RecordedHypothesis,
): Promise<void> {
  if (review === null) return;
  await db
    .insertInto('bench_reviews')
    .values({
      hypothesis_id: id,
      bench_id: benchId,
      reviewer: review.reviewer,
      state: review.state,
      reason: review.reason,
      detail: review.detail,
      review: maybeJsonb(review.review),
      call_key: review.callKey,
    })
    .execute();
}

async function insertToolCalls(
  db: Database,
  benchId: string,
  { id, toolCalls }: RecordedHypothesis,
): Promise<void> {
  if (toolCalls.length === 0) return;
  await db
    .insertInto('bench_tool_calls')
    .values(
      toolCalls.map((call) => ({
        hypothesis_id: id,
        turn: call.turn,
        index: call.index,
        bench_id: benchId,
        call_id: call.callId,
        tool: call.tool,
        arguments: call.arguments,
        arguments_sha256: call.argumentsSha256,
        repeats_turn: call.repeatsTurn,
        repeats_index: call.repeatsIndex,
        state: call.state,
        outcome: call.outcome,
        failure_kind: call.failureKind,
        answer: call.answer,
        documents: maybeJsonb(call.documents),
        cache: call.cache,
        withheld_count: call.withheldCount,
        latency_ms: call.latencyMs,
      })),
    )
    .execute();
}

async function insertMatches(
  db: Database,
  benchId: string,
  matches: readonly RecordedMatch[],
): Promise<void> {
  for (const rows of parts(matches, ROWS_PER_INSERT)) {
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
    const verdicts = rows.flatMap((m) =>
      m.verdicts.map((v) => ({
        match_id: m.id,
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
    );
    if (verdicts.length > 0) await db.insertInto('bench_verdicts').values(verdicts).execute();
  }
}

async function insertGoldHits(db: Database, { run, goldHits }: Omit<RecordedBench, 'calls'>): Promise<void> {
  for (const rows of parts(goldHits, ROWS_PER_INSERT)) {
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

function maybeJsonb(value: unknown): string | null {
  return value === null || value === undefined ? null : toJsonb(value);
}

function* parts<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
