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
  return rows.map(toAttempt);
}

/** What a call's admission depends on. */
export interface CallStanding {
  /** Everything that was ever sent under its key, oldest first. */
  attempts: PastAttempt[];
  /** Most input tokens per byte of request seen from its model in its bench; null before enough calls have settled. */
  tokensPerByte: number | null;
}

/** In one question, since it is asked before every request. */
export async function readStanding(
  db: Database,
  call: { key: string; benchId: string; provider: string; model: string },
  minCalls: number,
): Promise<CallStanding> {
  const { rows } = await sql<AttemptRow & { attempt: number | null; tokens_per_byte: number | null }>`
    SELECT c.attempt, c.state, c.request_sha256, c.epoch, c.failure_kind,
           extract(epoch FROM c.lease_until - clock_timestamp()) * 1000 AS lease_left_ms,
           extract(epoch FROM clock_timestamp() - c.sent_at) * 1000 AS age_ms,
           (SELECT max_tokens_per_byte FROM bench_token_rates
             WHERE bench_id = ${call.benchId} AND provider = ${call.provider} AND model = ${call.model}
               AND n_settled >= ${minCalls}) AS tokens_per_byte
      FROM (SELECT) AS once LEFT JOIN bench_llm_calls c ON c.key = ${call.key}
     ORDER BY c.attempt`.execute(db);
  return {
    attempts: rows.filter((row) => row.attempt !== null).map(toAttempt),
    tokensPerByte: rows[0]?.tokens_per_byte ?? null,
  };
}

interface AttemptRow {
  attempt: number;
  state: PastAttempt['state'];
  request_sha256: string;
  epoch: number;
  failure_kind: string | null;
  lease_left_ms: number;
  age_ms: number;
}

function toAttempt(row: AttemptRow): PastAttempt {
  return {
    attempt: row.attempt,
    state: row.state,
    requestSha256: row.request_sha256,
    epoch: row.epoch,
    failureKind: row.failure_kind as CallFailure | null,
    leaseLeftMs: row.lease_left_ms,
    ageMs: row.age_ms,
  };
}

/** How the first generation calls of a scope ended in an epoch, oldest first; null: with an answer. */
export async function readFirstFailures(
  db: Database,
  { benchId, epoch, scopeId }: { benchId: string; epoch: number; scopeId: string },
  limit: number,
): Promise<(string | null)[]> {
  const rows = await db
    .selectFrom('bench_llm_calls')
    .select('failure_kind')
    .where('bench_id', '=', benchId)
    .where('epoch', '=', epoch)
    .where('kind', '=', 'generation')
    .where(sql<boolean>`${scopeId} = ANY (scope_ids)`)
    .where('ended_at', 'is not', null)
    .orderBy('ended_at')
    .orderBy('key')
    .orderBy('attempt')
    .limit(limit)
    .execute();
  return rows.map((row) => row.failure_kind);
}

/** @returns undefined where there is no such row, or not any more */
export async function readSettled(
  db: Database,
  key: string,
  attempt: number,
): Promise<SettledCall | undefined> {
  const row = await db
    .selectFrom('bench_llm_calls')
    .select(['response', 'request_id', 'latency_ms'])
    .where('key', '=', key)
    .where('attempt', '=', attempt)
    .executeTakeFirst();
  return (
    row && {
      attempt,
      response: row.response ?? 'null',
      requestId: row.request_id,
      latencyMs: row.latency_ms,
    }
  );
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
