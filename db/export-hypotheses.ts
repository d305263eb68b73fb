import type { RecordedHypothesis, RecordedReview, RecordedToolCall } from '../core/report/recorded-bench';
import type { Database } from './database';
import { toRecord } from './hypotheses';

/** Every slot of a bench with its review and tool calls, in the order of candidates and k. */
export async function readRecordedHypotheses(db: Database, benchId: string): Promise<RecordedHypothesis[]> {
  const reviews = await readReviews(db, benchId);
  const toolCalls = await readToolCalls(db, benchId);
  const rows = await db
    .selectFrom('bench_hypotheses as h')
    .innerJoin('bench_candidates as c', 'c.id', 'h.candidate_id')
    .selectAll('h')
    .where('h.bench_id', '=', benchId)
    .orderBy('c.position')
    .orderBy('h.k')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    candidateId: row.candidate_id,
    k: row.k,
    publicId: row.public_id,
    state: row.state,
    failureKind: row.failure_kind,
    failureDetail: row.failure_detail,
    draftKind: row.draft_kind,
    duplicateOf: row.duplicate_of,
    record: toRecord(row),
    unsupportedCitations: row.unsupported_citations,
    contentSha256: row.content_sha256,
    elo: row.elo,
    review: reviews.get(row.id) ?? null,
    toolCalls: toolCalls.get(row.id) ?? [],
  }));
}

async function readReviews(db: Database, benchId: string): Promise<Map<string, RecordedReview>> {
  const rows = await db
    .selectFrom('bench_reviews')
    .select(['hypothesis_id', 'reviewer', 'state', 'reason', 'detail', 'review', 'call_key as callKey'])
    .where('bench_id', '=', benchId)
    .execute();
  return new Map(rows.map(({ hypothesis_id: id, ...review }) => [id, review]));
}

async function readToolCalls(db: Database, benchId: string): Promise<Map<string, RecordedToolCall[]>> {
  const rows = await db
    .selectFrom('bench_tool_calls')
    .select(['hypothesis_id', 'turn', 'index', 'call_id as callId', 'tool', 'arguments'])
    .select(['arguments_sha256 as argumentsSha256', 'repeats_turn as repeatsTurn'])
    .select(['repeats_index as repeatsIndex', 'state', 'outcome', 'failure_kind as failureKind'])
    .select(['answer', 'documents', 'cache', 'withheld_count as withheldCount'])
    .select(['latency_ms as latencyMs'])
    .where('bench_id', '=', benchId)
    .orderBy('turn')
    .orderBy('index')
    .execute();
  const bySlot = new Map<string, RecordedToolCall[]>();
  for (const { hypothesis_id: id, documents, ...call } of rows) {
    const calls = bySlot.get(id) ?? [];
    bySlot.set(id, calls);
    calls.push({ ...call, documents: documents as RecordedToolCall['documents'] });
  }
  return bySlot;
}
