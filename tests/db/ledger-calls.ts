import { sql } from 'kysely';
import type { AttemptLimits } from '../../core/call-decision';
import { benchScope, candidateScope } from '../../core/ids';
import type { Database } from '../../db/database';
import { settleCall } from '../../db/ledger';
import { admitCall } from '../../db/ledger-admission';
import type { CallIntent, FailedCall, SentCall, Settlement } from '../../db/ledger-records';

export const LIMITS: AttemptLimits = { maxAttempts: 4, maxThrottledMs: 60_000 };

export function intent(benchId: string, key: string, changes: Partial<CallIntent> = {}): CallIntent {
  return {
    key: `${benchId}/${key}`,
    kind: 'generation',
    benchId,
    epoch: 1,
    provider: 'sim',
    model: 'alpha',
    scopeIds: [candidateScope(`${benchId}/alpha`), benchScope(benchId)],
    requestSha256: 'a'.repeat(64),
    request: '{}',
    requestBytes: 100,
    boundUsd: 0.25,
    leaseMs: 60_000,
    ...changes,
  };
}

export function answer(costUsd: number | null, changes: Partial<Settlement> = {}): Settlement {
  return {
    response: '{"said":"so"}',
    requestId: 'req-1',
    reportedModel: 'alpha',
    usage: {
      inputTokens: 50,
      cachedInputTokens: null,
      cacheWriteTokens: null,
      outputTokens: 10,
      reasoningTokens: null,
      reportedCostUsd: null,
    },
    computedUsd: costUsd,
    latencyMs: 5,
    ...changes,
  };
}

export async function send(
  db: Database,
  benchId: string,
  key: string,
  changes: Partial<CallIntent> = {},
): Promise<SentCall> {
  const admission = await admitCall(db, intent(benchId, key, changes), LIMITS);
  if (admission.kind !== 'admitted') throw new Error(`not admitted: ${admission.kind}`);
  return admission;
}

/** A failure that says that it cost $0.04. */
export const BILLED: FailedCall = {
  ...{ kind: 'server_error', endsAs: 'failed', httpStatus: 500, requestId: 'req-9' },
  ...{ reportedUsd: 0.04, computedUsd: null, latencyMs: 7 },
};

/** The request that has this number now, as whoever sent it knows it. */
export async function readSent(db: Database, key: string, attempt = 1): Promise<SentCall> {
  const { sentAt, ...row } = await db
    .selectFrom('bench_llm_calls')
    .selectAll()
    .select(sql<string>`to_json(sent_at) #>> '{}'`.as('sentAt'))
    .where('key', '=', key)
    .where('attempt', '=', attempt)
    .executeTakeFirstOrThrow();
  const place = { key, kind: row.kind, benchId: row.bench_id, epoch: row.epoch, scopeIds: row.scope_ids };
  const request = {
    requestSha256: row.request_sha256,
    request: row.request,
    requestBytes: row.request_bytes,
  };
  const { provider, model, bound_usd: boundUsd } = row;
  return { attempt, sentAt, intent: { ...place, ...request, provider, model, boundUsd, leaseMs: 60_000 } };
}

/** Books an answer of the request that has this number now. @returns the attempt whose answer counts */
export async function settle(
  db: Database,
  key: string,
  attempt: number,
  booked: Settlement,
): Promise<number> {
  return (await settleCall(db, await readSent(db, key, attempt), booked)).accepted;
}

/** As a database is without this row: after a failover without its last commits, or from an older backup. */
export async function loseCall(db: Database, { intent: { key, scopeIds }, sentAt }: SentCall): Promise<void> {
  const isIt = sql<boolean>`key = ${key} AND sent_at = ${sentAt}::timestamptz`;
  await db.transaction().execute(async (tx) => {
    await tx.selectFrom('bench_llm_calls').select('key').where(isIt).forUpdate().execute();
    await sql`SELECT FROM bench_budgets WHERE id = ANY (${scopeIds}) ORDER BY id FOR UPDATE`.execute(tx);
    await sql`
      WITH lost AS (DELETE FROM bench_llm_calls WHERE ${isIt} RETURNING charged_usd)
      UPDATE bench_budgets SET held_usd = held_usd - charged_usd FROM lost WHERE id = ANY (${scopeIds})`.execute(
      tx,
    );
  });
}

export async function heldAndSum(
  db: Database,
  benchId: string,
): Promise<{ id: string; held: number; sum: number }[]> {
  const { rows } = await sql<{ id: string; held: number; sum: number }>`
    SELECT b.id, b.held_usd AS held,
           coalesce((SELECT sum(charged_usd) FROM bench_llm_calls c WHERE b.id = ANY (c.scope_ids)), 0) AS sum
      FROM bench_budgets b WHERE bench_id = ${benchId} ORDER BY b.id`.execute(db);
  return rows;
}
