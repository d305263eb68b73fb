import { sql } from 'kysely';
import type { BenchState } from '../core/bench-states';
import { BrokenInvariant } from '../core/broken-invariant';
import { type AttemptLimits, decideCall, type PastAttempt } from '../core/call-decision';
import { isProbeKey } from '../core/ids';
import type { Database } from './database';
import { readAttempts, readSettled } from './ledger-reads';
import type { Admission, CallIntent, FailedCall, FullScope, Settlement } from './ledger-records';
import { toStorable } from './storable-text';

/**
 * Reads the call's answer if there is one, else reserves its bound in every scope and writes the `sent` row, all or
 * nothing. Returns `admitted` to exactly one caller per attempt.
 * @param known the attempts as the caller has just read them; else they are read
 */
export async function admitCall(
  db: Database,
  intent: CallIntent,
  limits: AttemptLimits,
  known?: readonly PastAttempt[],
): Promise<Admission> {
  for (let past = known; ; past = undefined) {
    const decision = decideCall(past ?? (await readAttempts(db, intent.key)), intent, limits);
    switch (decision.kind) {
      case 'read':
        return { kind: 'settled', ...(await readSettled(db, intent.key, decision.attempt)) };
      case 'mismatch':
        return decision;
      case 'wait':
        return { kind: 'busy', forMs: decision.ms };
      case 'give_up':
        return { kind: 'given_up', reason: decision.reason };
      case 'expire':
        await expireLease(db, intent.key, decision.attempt);
        break;
      case 'send': {
        const admission = await reserve(db, intent, decision.attempt);
        if (admission) return admission;
        break; // somebody else took this attempt's number in between: look again
      }
    }
  }
}

/**
 * One statement: the scopes are locked in the order of their ids, so concurrent callers queue up instead of
 * deadlocking, and each reads what the one before has left.
 */
async function reserve(db: Database, intent: CallIntent, attempt: number): Promise<Admission | null> {
  const { rows } = await sql<{
    id: string | null;
    cap_usd: number | null;
    held_usd: number;
    closed_by: string | null;
    has_room: boolean;
    state: BenchState | null;
    admitted: number | null;
  }>`
    WITH scopes AS MATERIALIZED (
      SELECT id, cap_usd, held_usd, closed_by,
             closed_by IS NULL AND (cap_usd IS NULL OR held_usd + ${intent.boundUsd}::numeric <= cap_usd) AS has_room
        FROM bench_budgets WHERE id = ANY (${intent.scopeIds}) ORDER BY id FOR UPDATE
    ), owner AS (
      SELECT (SELECT state FROM bench_runs WHERE id = ${intent.benchId} AND epoch = ${intent.epoch}) AS state
    ), admitted AS (
      INSERT INTO bench_llm_calls (key, attempt, bench_id, epoch, kind, provider, model, scope_ids, state,
                                   request_sha256, request, request_bytes, bound_usd, lease_until)
      SELECT ${intent.key}, ${attempt}, ${intent.benchId}, ${intent.epoch}, ${intent.kind}, ${intent.provider},
             ${intent.model}, ${intent.scopeIds}, 'sent', ${intent.requestSha256}, ${intent.request},
             ${intent.requestBytes}, ${intent.boundUsd}, clock_timestamp() + ${intent.leaseMs} * interval '1 ms'
       WHERE (SELECT count(*) FILTER (WHERE has_room) FROM scopes) = ${intent.scopeIds.length}
         AND (SELECT state FROM owner) IN ('planned', 'running')
      ON CONFLICT (key, attempt) DO NOTHING
      RETURNING attempt
    )
    SELECT scopes.*, owner.state, (SELECT attempt FROM admitted) AS admitted
      FROM owner LEFT JOIN scopes ON true`.execute(db);
  if (rows[0]?.admitted) return { kind: 'admitted', attempt };
  const state = rows[0]?.state ?? null;
  if (state === null) return { kind: 'taken_over' };
  if (state === 'paused') return { kind: 'paused' };
  if (state !== 'planned' && state !== 'running') return { kind: 'ended', state };
  const missing = intent.scopeIds.filter((id) => !rows.some((row) => row.id === id));
  if (missing.length > 0)
    throw new BrokenInvariant(`ledger: ${intent.key}: no budget scope ${missing.join(', ')}`);
  const full = rows.find((row) => !row.has_room);
  if (!full?.id) return null;
  const scope: FullScope = {
    scopeId: full.id,
    capUsd: full.cap_usd,
    heldUsd: full.held_usd,
    boundUsd: intent.boundUsd,
    closedBy: full.closed_by,
  };
  if (await mayFreeUp(db, intent.benchId, scope)) return { kind: 'no_room_yet', ...scope };
  await db
    .updateTable('bench_budgets')
    .set({ exceeded_cap_usd: scope.capUsd })
    .where('id', '=', scope.scopeId)
    .execute();
  return { kind: 'over_budget', ...scope };
}

/** Calls still out hold their bounds and mostly cost less: while they could make room, the cap is not reached. */
async function mayFreeUp(db: Database, benchId: string, scope: FullScope): Promise<boolean> {
  if (scope.closedBy !== null || scope.capUsd === null) return false;
  const { rows } = await sql<{ has_room: boolean }>`
    SELECT held_usd - coalesce(out_usd, 0) + ${scope.boundUsd}::numeric <= cap_usd AS has_room
      FROM bench_budgets,
           (SELECT sum(bound_usd) AS out_usd FROM bench_llm_calls
             WHERE bench_id = ${benchId} AND state = 'sent' AND lease_until > clock_timestamp()
               AND ${scope.scopeId} = ANY (scope_ids)) AS calls
     WHERE id = ${scope.scopeId}`.execute(db);
  return rows[0]?.has_room ?? false;
}

/** A lease that ended without a word: the request may have been billed, so it stays charged at its bound. */
async function expireLease(db: Database, key: string, attempt: number): Promise<void> {
  await db
    .updateTable('bench_llm_calls')
    .set({ state: 'in_doubt', failure_kind: 'dropped', ended_at: sql`clock_timestamp()` })
    .where('key', '=', key)
    .where('attempt', '=', attempt)
    .where('state', '=', 'sent')
    .where('lease_until', '<=', sql<Date>`clock_timestamp()`)
    .execute();
}

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
