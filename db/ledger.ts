import { sql } from 'kysely';
import { benchOf, isProbeKey, rubricScope } from '../core/ids';
import { askedTogether, LONG_TEXT } from './asked-together';
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
    if (await bookAnswer(db, { key, attempt, answer, state: 'settled' })) return attempt;
  } catch (error) {
    if (!isSecondAnswer(error)) throw error;
    await bookAnswer(db, { key, attempt, answer, state: 'superseded' });
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
async function bookAnswer(db: Database, booking: Booking): Promise<boolean> {
  if (!isProbeKey(booking.key)) return bookTogether(db, booking);
  return db.transaction().execute(async (tx) => {
    const wasOpen = await bookTogether(tx, booking);
    await tx
      .updateTable('bench_budgets')
      .set({ closed_by: null })
      .where('closed_by', '=', booking.key)
      .execute();
    return wasOpen;
  });
}

interface Booking {
  key: string;
  attempt: number;
  answer: Settlement;
  state: 'settled' | 'superseded';
}

/** Answers of one bench in one statement: whoever books one holds the bench's scope anyway. */
const bookTogether = askedTogether(
  ({ key, answer }: Booking) => (answer.response.length > LONG_TEXT ? null : benchOf(key)),
  bookAll,
);

/**
 * First the calls are locked and then the scopes of all of them, both in the order of their keys. By the rows' own trigger
 * one call's scopes would be locked after another's, and two such statements could wait for each other; and whoever
 * changes a single call has its row before its scopes.
 */
async function bookAll(db: Database, bookings: readonly Booking[]): Promise<boolean[]> {
  const keys = bookings.map(({ key }) => key);
  const { rows } = await sql<{ key: string; attempt: number }>`
    WITH calls AS MATERIALIZED (
      SELECT scope_ids FROM bench_llm_calls WHERE key = ANY (${keys}) ORDER BY key, attempt FOR NO KEY UPDATE
    ), scopes AS MATERIALIZED (
      SELECT id FROM bench_budgets
       WHERE id = ANY (ARRAY (SELECT unnest(scope_ids) FROM calls)) ORDER BY id FOR UPDATE
    )
    UPDATE bench_llm_calls c
       SET state = a.state, response = a.response, request_id = a.request_id, reported_model = a.reported_model,
           failure_kind = NULL, reported_usd = a.reported_usd, computed_usd = a.computed_usd,
           input_tok = a.input_tok, cached_input_tok = a.cached_input_tok, cache_write_tok = a.cache_write_tok,
           output_tok = a.output_tok, reasoning_tok = a.reasoning_tok, ended_at = clock_timestamp(),
           latency_ms = a.latency_ms
      FROM json_to_recordset(${JSON.stringify(bookings.map(toAnswerRow))}::json) AS a (
             key text, attempt integer, state text, response text, request_id text, reported_model text,
             reported_usd numeric, computed_usd numeric, input_tok bigint, cached_input_tok bigint,
             cache_write_tok bigint, output_tok bigint, reasoning_tok bigint, latency_ms integer)
     WHERE c.key = ANY (${keys}) AND c.key = a.key AND c.attempt = a.attempt AND c.state IN ('sent', 'in_doubt')
       AND (SELECT count(*) FROM scopes) >= 0 -- so that they are locked before; who is charged to none is booked too
    RETURNING c.key, c.attempt`.execute(db);
  const booked = new Set(rows.map(({ key, attempt }) => `${key}#${attempt}`));
  // Of two that book one attempt, one has found it open.
  return bookings.map(({ key, attempt }) => booked.delete(`${key}#${attempt}`));
}

function toAnswerRow({ key, attempt, state, answer }: Booking) {
  const { usage } = answer;
  return {
    ...{ key, attempt, state, response: answer.response },
    ...toStorable({ request_id: answer.requestId, reported_model: answer.reportedModel }),
    reported_usd: usage.reportedCostUsd,
    computed_usd: answer.computedUsd,
    input_tok: usage.inputTokens,
    cached_input_tok: usage.cachedInputTokens,
    cache_write_tok: usage.cacheWriteTokens,
    output_tok: usage.outputTokens,
    reasoning_tok: usage.reasoningTokens,
    latency_ms: answer.latencyMs,
  };
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

/** Says what rubric scores of a bench may cost in all, from now on: more than before, or less. */
export async function capRubric(db: Database, benchId: string, capUsd: number): Promise<void> {
  const id = rubricScope(benchId);
  await db
    .insertInto('bench_budgets')
    .values({ id, bench_id: benchId, kind: 'rubric', cap_usd: capUsd, closed_by: null })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ cap_usd: capUsd, closed_by: null }))
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
