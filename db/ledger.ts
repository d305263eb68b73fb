import { sql } from 'kysely';
import type { CallState } from '../core/bench-states';
import { BrokenInvariant } from '../core/broken-invariant';
import { rubricScope } from '../core/ids';
import { askedTogether, LONG_TEXT } from './asked-together';
import type { Database } from './database';
import type { FailedCall, SentCall, Settlement } from './ledger-records';
import { isRowOf, readEnds, rewriteCall } from './ledger-rewrite';
import { toStorable } from './storable-text';

/**
 * Called while a request is out, so that nobody takes it for lost. A row that Postgres has lost is written anew: its
 * bound is held again, and who asks for the same finds that it is on its way.
 * @throws CallUnbookable
 */
export async function renewLease(db: Database, call: SentCall, leaseMs: number): Promise<void> {
  const result = await db
    .updateTable('bench_llm_calls')
    .set({ lease_until: sql`clock_timestamp() + ${leaseMs} * interval '1 ms'` })
    .where('key', '=', call.intent.key)
    .where(isRowOf(call))
    .where('state', '=', 'sent')
    .executeTakeFirst();
  if (result.numUpdatedRows > 0n) return;
  const { own } = await readEnds(db, call);
  if (!own) await rewriteCall(db, call);
}

/** Attempts of one key. */
export interface BookedAnswer {
  /** The answer's own: another than it was sent as, where its row was lost and its number taken. */
  attempt: number;
  /** The one whose answer counts. */
  accepted: number;
}

/**
 * Books an answer. The first answer of a key is its settled one; a later one is `superseded`: paid, listed, unused.
 * A late answer settles its own row, also after that went in doubt; one whose row Postgres has lost writes it anew.
 * Calling it again changes nothing.
 * @throws CallUnbookable
 */
export async function settleCall(db: Database, call: SentCall, answer: Settlement): Promise<BookedAnswer> {
  for (;;) {
    const attempt = await bookAnswer(db, call, answer);
    if (attempt !== null) return { attempt, accepted: attempt };
    const { own, accepted } = await readEnds(db, call);
    if (!own) await rewriteCall(db, call);
    else if (own.state === 'sent' || own.state === 'in_doubt')
      continue; // it has come back in between
    else if (accepted) return { attempt: own.attempt, accepted: accepted.attempt };
    else if (own.state === 'failed')
      throw new BrokenInvariant(`ledger: ${call.intent.key}#${own.attempt}: an answer after its failure`);
  }
}

/** @returns its attempt where it is its key's first answer; null where it is not, or its row is not there, or not open */
async function bookAnswer(db: Database, call: SentCall, answer: Settlement): Promise<number | null> {
  try {
    return await bookTogether(db, { call, answer, state: 'settled' });
  } catch (error) {
    if (!isSecondAnswer(error)) throw error;
    await bookTogether(db, { call, answer, state: 'superseded' });
    return null;
  }
}

interface Booking {
  call: SentCall;
  answer: Settlement;
  state: 'settled' | 'superseded';
}

/** Answers of one bench in one statement: whoever books one holds the bench's scope anyway. */
const bookTogether = askedTogether(
  ({ call, answer }: Booking) => (answer.response.length > LONG_TEXT ? null : call.intent.benchId),
  bookAll,
);

/**
 * First the calls are locked and then the scopes of all of them, both in the order of their keys. By the rows' own trigger
 * one call's scopes would be locked after another's, and two such statements could wait for each other; and whoever
 * changes a single call has its row before its scopes.
 * @returns attempts; null where there is no such row, or it is not open
 */
async function bookAll(db: Database, bookings: readonly Booking[]): Promise<(number | null)[]> {
  const keys = bookings.map(({ call }) => call.intent.key);
  const { rows } = await sql<{ n: number; attempt: number }>`
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
             n integer, key text, sent_at timestamptz, state text, response text, request_id text, reported_model text,
             reported_usd numeric, computed_usd numeric, input_tok bigint, cached_input_tok bigint,
             cache_write_tok bigint, output_tok bigint, reasoning_tok bigint, latency_ms integer)
     WHERE c.key = ANY (${keys}) AND c.key = a.key AND c.sent_at = a.sent_at
       AND (c.state IN ('sent', 'in_doubt') OR c.state = 'superseded' AND a.state = 'settled') -- where none counts any more
       AND (SELECT count(*) FROM scopes) >= 0 -- so that they are locked before; who is charged to none is booked too
    RETURNING a.n, c.attempt`.execute(db);
  // Of two that book one attempt, one has found it open.
  return bookings.map((_, n) => rows.find((row) => row.n === n)?.attempt ?? null);
}

function toAnswerRow({ call, state, answer }: Booking, n: number) {
  const { usage } = answer;
  return {
    ...{ n, key: call.intent.key, sent_at: call.sentAt, state, response: answer.response },
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

/**
 * Books that there is no answer. An attempt that was settled or expired meanwhile stays as it is, but for what it is now
 * known to have cost; a row that Postgres has lost is written anew. Calling it again changes nothing.
 * @throws CallUnbookable
 */
export async function failCall(db: Database, call: SentCall, failure: FailedCall): Promise<void> {
  const isBilled = failure.endsAs === 'failed' && failure.reportedUsd !== null;
  const open: CallState[] = isBilled ? ['sent', 'in_doubt'] : ['sent'];
  while (!(await bookFailure(db, call, failure, open))) {
    const { own } = await readEnds(db, call);
    if (!own) await rewriteCall(db, call);
    else if (!open.includes(own.state)) return;
  }
}

/** @returns whether its row was there, and in one of these states */
async function bookFailure(
  db: Database,
  call: SentCall,
  failure: FailedCall,
  open: CallState[],
): Promise<boolean> {
  const result = await db
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
    .where('key', '=', call.intent.key)
    .where(isRowOf(call))
    .where('state', 'in', open)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
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
