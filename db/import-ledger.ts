import { sql } from 'kysely';
import type { RecordedAttempt, RecordedBudget } from '../core/report/recorded-bench';
import type { Database } from './database';

const CALLS_PER_INSERT = 200;

/** @param attempts of every call, one key after the other */
export async function insertCalls(
  db: Database,
  benchId: string,
  attempts: Iterable<readonly RecordedAttempt[]>,
): Promise<void> {
  let waiting: ReturnType<typeof callRow>[] = [];
  const insertWaiting = async () => {
    if (waiting.length > 0) await db.insertInto('bench_llm_calls').values(waiting).execute();
    waiting = [];
  };
  for (const ofKey of attempts) {
    waiting.push(...ofKey.map((call) => callRow(benchId, call)));
    if (waiting.length >= CALLS_PER_INSERT) await insertWaiting();
  }
  await insertWaiting();
}

/** Costs and charges are the database's own sums. A lease says who waits for an answer: nobody does any more. */
function callRow(benchId: string, call: RecordedAttempt) {
  return {
    key: call.key,
    attempt: call.attempt,
    bench_id: benchId,
    epoch: call.epoch,
    kind: call.kind,
    provider: call.provider,
    model: call.model,
    scope_ids: call.scopeIds,
    state: call.state,
    request_sha256: call.requestSha256,
    request: call.request,
    request_bytes: call.requestBytes,
    response: call.response,
    request_id: call.requestId,
    reported_model: call.reportedModel,
    failure_kind: call.failureKind,
    http_status: call.httpStatus,
    bound_usd: call.boundUsd,
    reported_usd: call.reportedUsd,
    computed_usd: call.computedUsd,
    input_tok: call.inputTokens,
    cached_input_tok: call.cachedInputTokens,
    cache_write_tok: call.cacheWriteTokens,
    output_tok: call.outputTokens,
    reasoning_tok: call.reasoningTokens,
    lease_until: sql<Date>`${call.endedAt ?? call.sentAt}::timestamptz`,
    sent_at: call.sentAt,
    ended_at: call.endedAt === null ? null : sql<Date>`${call.endedAt}::timestamptz`,
    latency_ms: call.latencyMs,
  };
}

/** What a scope holds is the ledger's sum, here as everywhere. */
export async function insertBudgets(
  db: Database,
  benchId: string,
  budgets: readonly (Omit<RecordedBudget, 'kind'> & { kind: RecordedBudget['kind'] | 'rubric' })[],
): Promise<void> {
  for (const { id, kind, capUsd, exceededCapUsd, closedBy } of budgets) {
    await sql`
      INSERT INTO bench_budgets (id, bench_id, kind, cap_usd, held_usd, exceeded_cap_usd, closed_by)
      SELECT ${id}, ${benchId}, ${kind}, ${capUsd}::numeric, coalesce(sum(charged_usd), 0),
             ${exceededCapUsd}::numeric, ${closedBy}
        FROM bench_llm_calls WHERE bench_id = ${benchId} AND ${id} = ANY (scope_ids)`.execute(db);
  }
}
