import type { RecordedHypothesis } from '../core/report/recorded-bench';
import type { Database } from './database';
import { insertParts } from './insert-parts';
import { maybeJsonb } from './storable-text';

/** Copies of what another database has: slots, their reviews and tool calls. */
export async function insertHypotheses(
  db: Database,
  benchId: string,
  hypotheses: readonly RecordedHypothesis[],
): Promise<void> {
  for (const rows of insertParts(hypotheses)) {
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
