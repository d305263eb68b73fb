import { sql } from 'kysely';
import { isProbeKey } from '../core/ids';
import type { Database } from './database';
import type { FailedCall, Settlement } from './ledger-records';
import { toStorable } from './storable-text';

/** Called while a request is out, so that nobody takes it for lost. */
export async function renewLease(db: Database, key: string, attempt: number, leaseMs: number): Promise<void> {
  await db
    .updateTable('bench_llm_calls')
    .set({ lease_until: sql`clock_timestamp() + ${leaseMs} * interval '1 ms'` })
    .where('key', '=', key)
    .where('attempt', '=', attempt)
    .where('state', '=', 'sent')
    .execute();
}

/**
 * Books an answer. The first answer of a key is its settled one; a later one is `superseded`: paid, listed, unused.
 * A late answer settles its own row, also after that went in doubt. Calling it again changes nothing. A probe that cost
 * more than its bound closes no scope: it says nothing about the calls that the cap is for.
 * @returns the attempt whose answer counts for this key
 */
export async function settleCall(
  db: Database,
  key: string,
  attempt: number,
  answer: Settlement,
): Promise<number> {
  try {
    if (await bookAnswer(db, key, attempt, answer, 'settled')) return attempt;
  } catch (error) {
    if (!isSecondAnswer(error)) throw error;
    await bookAnswer(db, key, attempt, answer, 'superseded');
  }
  const accepted = await db
    .selectFrom('bench_llm_calls')
    .select('attempt')
    .where('key', '=', key)
    .where('state', '=', 'settled')
    .executeTakeFirstOrThrow();
  return accepted.attempt;
}

/** @returns whether the row was still open */
async function bookAnswer(
  db: Database,
  key: string,
  attempt: number,
  answer: Settlement,
  state: 'settled' | 'superseded',
): Promise<boolean> {
  if (!isProbeKey(key)) return updateAnswered(db, key, attempt, answer, state);
  return db.transaction().execute(async (tx) => {
    const wasOpen = await updateAnswered(tx, key, attempt, answer, state);
    await tx.updateTable('bench_budgets').set({ closed_by: null }).where('closed_by', '=', key).execute();
    return wasOpen;
  });
}

async function updateAnswered(
  db: Database,
  key: string,
  attempt: number,
  answer: Settlement,
  state: 'settled' | 'superseded',
): Promise<boolean> {
  const result = await db
    .updateTable('bench_llm_calls')
    .set({
      state,
      response: answer.response,
      ...toStorable({ request_id: answer.requestId, reported_model: answer.reportedModel }),
      failure_kind: null,
      reported_usd: answer.usage.reportedCostUsd,
      computed_usd: answer.computedUsd,
      input_tok: answer.usage.inputTokens,
      cached_input_tok: answer.usage.cachedInputTokens,
      cache_write_tok: answer.usage.cacheWriteTokens,
      output_tok: answer.usage.outputTokens,
      reasoning_tok: answer.usage.reasoningTokens,
      ended_at: sql`clock_timestamp()`,
      latency_ms: answer.latencyMs,
    })
    .where('key', '=', key)
    .where('attempt', '=', attempt)
    .where('state', 'in', ['sent', 'in_doubt'])
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

function isSecondAnswer(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === '23505' && constraint === 'bench_llm_calls_one_accepted';
}

/** Books that there is no answer. An attempt that was settled or expired meanwhile stays as it is. */
export async function failCall(
  db: Database,
  key: string,
  attempt: number,
  failure: FailedCall,
): Promise<void> {
  await db
    .updateTable('bench_llm_calls')
    .set({
      state: failure.endsAs,
      failure_kind: failure.kind,
      http_status: failure.httpStatus,
      request_id: toStorable(failure.requestId),
      reported_usd: failure.reportedUsd,
      computed_usd: failure.computedUsd,
      ended_at: sql`clock_timestamp()`,
      latency_ms: failure.latencyMs,
    })
    .where('key', '=', key)
    .where('attempt', '=', attempt)
    .where('state', '=', 'sent')
    .execute();
}

/** Opens a budget scope; an existing one stays as it is. */
export async function openBudgets(
  db: Database,
  budgets: { id: string; benchId: string; kind: 'candidate' | 'judge' | 'bench'; capUsd: number | null }[],
): Promise<void> {
  await db
    .insertInto('bench_budgets')
    .values(
      budgets.map((b) => ({
        id: b.id,
        bench_id: b.benchId,
        kind: b.kind,
        cap_usd: b.capUsd,
        closed_by: null,
      })),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

/**
 * Raises a cap, never lowers it, and reopens a scope that an overrun had closed.
 * @returns false when there is no such scope, or it has a higher cap, or none
 */
export async function raiseBudget(db: Database, scopeId: string, capUsd: number): Promise<boolean> {
  const result = await db
    .updateTable('bench_budgets')
    .set({ cap_usd: capUsd, closed_by: null })
    .where('id', '=', scopeId)
    .where('cap_usd', '<=', capUsd)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
