import { sql } from 'kysely';
import type { PastAttempt } from '../core/call-decision';
import type { CallFailure } from '../core/completion';
import type { Database } from './database';

/** An answer that counts. */
export interface SettledCall {
  attempt: number;
  /** The provider's JSON, as text. */
  response: string;
  requestId: string | null;
  latencyMs: number | null;
}

/** Everything that was ever sent under a key, oldest first. */
export async function readAttempts(db: Database, key: string): Promise<PastAttempt[]> {
  const rows = await db
    .selectFrom('bench_llm_calls')
    .select(['attempt', 'state', 'request_sha256', 'epoch', 'failure_kind'])
    .select(sql<number>`extract(epoch FROM lease_until - clock_timestamp()) * 1000`.as('lease_left_ms'))
    .select(sql<number>`extract(epoch FROM clock_timestamp() - sent_at) * 1000`.as('age_ms'))
    .where('key', '=', key)
    .orderBy('attempt')
    .execute();
  return rows.map((row) => ({
    attempt: row.attempt,
    state: row.state,
    requestSha256: row.request_sha256,
    epoch: row.epoch,
    failureKind: row.failure_kind as CallFailure | null,
    leaseLeftMs: row.lease_left_ms,
    ageMs: row.age_ms,
  }));
}

export async function readSettled(db: Database, key: string, attempt: number): Promise<SettledCall> {
  const row = await db
    .selectFrom('bench_llm_calls')
    .select(['response', 'request_id', 'latency_ms'])
    .where('key', '=', key)
    .where('attempt', '=', attempt)
    .executeTakeFirstOrThrow();
  return {
    attempt,
    response: row.response ?? 'null',
    requestId: row.request_id,
    latencyMs: row.latency_ms,
  };
}

/**
 * Most input tokens per byte of request seen from this model in this bench; null before `minCalls` settled calls.
 */
export async function readTokensPerByte(
  db: Database,
  call: { benchId: string; provider: string; model: string },
  minCalls: number,
): Promise<number | null> {
  const row = await db
    .selectFrom('bench_token_rates')
    .select('max_tokens_per_byte')
    .where('bench_id', '=', call.benchId)
    .where('provider', '=', call.provider)
    .where('model', '=', call.model)
    .where('n_settled', '>=', minCalls)
    .executeTakeFirst();
  return row?.max_tokens_per_byte ?? null;
}

/** The settled answers of the keys that have one. */
export async function readAnswers(
  db: Database,
  keys: string[],
): Promise<Map<string, { response: string; requestId: string | null }>> {
  if (keys.length === 0) return new Map();
  const rows = await db
    .selectFrom('bench_llm_calls')
    .select(['key', 'response', 'request_id'])
    .where('key', 'in', keys)
    .where('state', '=', 'settled')
    .execute();
  return new Map(rows.map((r) => [r.key, { response: r.response ?? 'null', requestId: r.request_id }]));
}
