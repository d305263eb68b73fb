import { sql } from 'kysely';
import type { CallState } from '../core/bench-states';
import type { Database } from './database';
import type { SentCall } from './ledger-records';

/** Nowhere to book what a request came to: Postgres has lost its row, and what it would be charged to as well. */
export class CallUnbookable extends Error {
  constructor(
    readonly key: string,
    readonly attempt: number,
    /** A bench, or budget scopes of it. */
    readonly missing: string,
  ) {
    super(`ledger: ${key}#${attempt}: its row is gone, and so is ${missing}: nothing to book it in`);
    this.name = 'CallUnbookable';
  }
}

/**
 * Writes the row of a request anew, as it was sent, its bound held again and whatever the caps: Postgres has lost it (a
 * failover without its last commits, a backup restored), and the request went out. Under its own number, or the next that
 * is free where another request has that by now. Where the row is there after all, nothing changes.
 * @throws CallUnbookable
 */
export async function rewriteCall(db: Database, call: SentCall): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // As for an admission: whoever adds a row to this key has the scopes first.
    await lockScopes(tx, call);
    const rows = await tx
      .selectFrom('bench_llm_calls')
      .select(['attempt', isRowOf(call).as('isOwn')])
      .where('key', '=', call.intent.key)
      .execute();
    if (rows.some(({ isOwn }) => isOwn)) return;
    const isTaken = rows.some(({ attempt }) => attempt === call.attempt);
    const attempt = isTaken ? 1 + Math.max(...rows.map((row) => row.attempt)) : call.attempt;
    await tx
      .insertInto('bench_llm_calls')
      .values(toRow(call, attempt))
      .onConflict((conflict) => conflict.columns(['key', 'attempt']).doNothing()) // the caller looks again
      .execute();
  });
}

async function lockScopes(tx: Database, { intent, attempt }: SentCall): Promise<void> {
  const { key, benchId, scopeIds } = intent;
  const bench = tx.selectFrom('bench_runs').select('id').where('id', '=', benchId);
  if (!(await bench.executeTakeFirst())) throw new CallUnbookable(key, attempt, `bench ${benchId}`);
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM bench_budgets WHERE id = ANY (${scopeIds}) ORDER BY id FOR UPDATE`.execute(tx);
  const missing = scopeIds.filter((id) => !rows.some((row) => row.id === id));
  if (missing.length > 0) throw new CallUnbookable(key, attempt, `budget scope ${missing.join(', ')}`);
}

function toRow({ intent, sentAt }: SentCall, attempt: number) {
  return {
    ...{ key: intent.key, attempt, bench_id: intent.benchId, epoch: intent.epoch, kind: intent.kind },
    ...{ provider: intent.provider, model: intent.model, scope_ids: intent.scopeIds, state: 'sent' as const },
    request_sha256: intent.requestSha256,
    request: intent.request,
    request_bytes: intent.requestBytes,
    bound_usd: intent.boundUsd,
    sent_at: sentAt,
    lease_until: sql<Date>`clock_timestamp() + ${intent.leaseMs} * interval '1 ms'`,
  };
}

/** What has become of a request, and of the others of its key. */
export interface CallEnds {
  /** null: there is no row of it. */
  own: { attempt: number; state: CallState } | null;
  /** The attempt whose answer counts. */
  accepted: { attempt: number } | null;
}

export async function readEnds(db: Database, call: SentCall): Promise<CallEnds> {
  const rows = await db
    .selectFrom('bench_llm_calls')
    .select(['attempt', 'state', isRowOf(call).as('isOwn')])
    .where('key', '=', call.intent.key)
    .execute();
  return {
    own: rows.find(({ isOwn }) => isOwn) ?? null,
    accepted: rows.find(({ state }) => state === 'settled') ?? null,
  };
}

/** Of the rows of its key, its own: after a loss another request may have come to its number. */
export function isRowOf({ sentAt }: SentCall) {
  return sql<boolean>`sent_at = ${sentAt}::timestamptz`;
}
