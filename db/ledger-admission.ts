import { sql } from 'kysely';
import { type BenchState, ENDED_STATES } from '../core/bench-states';
import { BrokenInvariant } from '../core/broken-invariant';
import { type AttemptLimits, decideCall, type PastAttempt } from '../core/call-decision';
import { askedTogether, LONG_TEXT } from './asked-together';
import type { Database } from './database';
import { readAttempts, readSettled } from './ledger-reads';
import type { Admission, CallIntent, FullScope, SentCall } from './ledger-records';

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
      case 'read': {
        const settled = await readSettled(db, intent.key, decision.attempt);
        if (settled) return { kind: 'settled', ...settled };
        break; // Postgres has lost it in between: look again
      }
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
        const reserved = await reserve(db, intent, decision.attempt);
        if (reserved.sent) return { kind: 'admitted', ...reserved.sent };
        const refusal = await explainRefusal(db, intent, reserved);
        if (refusal) return refusal;
        break; // somebody else took this attempt's number in between: look again
      }
    }
  }
}

/** A request nobody has made before, admitted without a look at what there was. */
export interface FirstAdmission {
  /** null: not by this shorter way, for whatever reason; nothing has changed. */
  sent: SentCall | null;
  /** As `CallStanding` has it, at this moment. */
  tokensPerByte: number | null;
}

/** The figure that a bound was made from. */
export interface UsedRate {
  /** null: it was unknown, and a token a byte assumed. */
  tokensPerByte: number | null;
  /** Settled calls of a model before its tokens per byte count. */
  minCalls: number;
}

/**
 * Admits a call as its key's first attempt, in one question, where nothing stands in the way: no attempt, no full scope,
 * and no figure above the one its bound was made from. Calls like it that come at the same time are asked about together:
 * all of them, or none where they do not fit together.
 */
export async function admitFirst(db: Database, intent: CallIntent, used: UsedRate): Promise<FirstAdmission> {
  const { sent, tokensPerByte } = await reserveTogether(db, { intent, attempt: 1, used });
  return { sent, tokensPerByte };
}

interface Asked {
  intent: CallIntent;
  attempt: number;
  used: UsedRate;
}

const reserveTogether = askedTogether(
  ({ intent, used }: Asked) =>
    intent.requestBytes > LONG_TEXT ? null : JSON.stringify([...sharedParts(intent), used.minCalls]),
  reserveAll,
);

/** What calls of one reservation have in common. */
function sharedParts({ benchId, epoch, kind, provider, model, scopeIds }: CallIntent): unknown[] {
  return [benchId, epoch, kind, provider, model, scopeIds];
}

/** For an attempt whose bound was made from what was read just before: no figure is above it. */
const ANY_RATE: UsedRate = { tokensPerByte: null, minCalls: 0 };

async function reserve(db: Database, intent: CallIntent, attempt: number): Promise<Reservation> {
  const [reservation] = await reserveAll(db, [{ intent, attempt, used: ANY_RATE }]);
  if (!reservation) throw new BrokenInvariant(`ledger: ${intent.key}: no answer`);
  return reservation;
}

interface Reservation {
  /** null: it is not admitted. */
  sent: SentCall | null;
  tokensPerByte: number | null;
  /** The bench's; null: it has another epoch, or is not there. */
  state: BenchState | null;
  scopes: { id: string; capUsd: number | null; heldUsd: number; closedBy: string | null; hasRoom: boolean }[];
}

/**
 * One statement: the scopes are locked in the order of their ids, so concurrent callers queue up instead of
 * deadlocking, and each reads what the one before has left.
 * @param asked calls with their shared parts alike: all bounds are reserved, or none
 */
async function reserveAll(db: Database, asked: readonly Asked[]): Promise<Reservation[]> {
  const { benchId, epoch, kind, provider, model, scopeIds } = firstOf(asked).intent;
  const { minCalls } = firstOf(asked).used;
  const { rows } = await sql<ReservationRow>`
    WITH asked AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${JSON.stringify(asked.map(toCallRow))}::json) AS a (
        key text, attempt integer, request_sha256 text, request text, request_bytes integer, bound_usd numeric,
        lease_ms double precision, used_rate double precision)
    ), scopes AS MATERIALIZED (
      SELECT id, cap_usd, held_usd, closed_by,
             closed_by IS NULL
             AND (cap_usd IS NULL OR held_usd + (SELECT sum(bound_usd) FROM asked) <= cap_usd) AS has_room
        FROM bench_budgets WHERE id = ANY (${scopeIds}) ORDER BY id FOR UPDATE
    ), owner AS (
      SELECT (SELECT state FROM bench_runs WHERE id = ${benchId} AND epoch = ${epoch}) AS state
    ), rate AS (
      SELECT (SELECT max_tokens_per_byte FROM bench_token_rates
               WHERE bench_id = ${benchId} AND provider = ${provider} AND model = ${model}
                 AND n_settled >= ${minCalls}) AS tokens_per_byte
    ), admitted AS (
      INSERT INTO bench_llm_calls (key, attempt, bench_id, epoch, kind, provider, model, scope_ids, state,
                                   request_sha256, request, request_bytes, bound_usd, lease_until)
      SELECT key, attempt, ${benchId}, ${epoch}, ${kind}, ${provider}, ${model}, ${scopeIds}, 'sent',
             request_sha256, request, request_bytes, bound_usd, clock_timestamp() + lease_ms * interval '1 ms'
        FROM asked
       WHERE (SELECT count(*) FILTER (WHERE has_room) FROM scopes) = ${scopeIds.length}
         AND (SELECT state FROM owner) = ANY (${payingStates(kind)})
         AND ((SELECT tokens_per_byte FROM rate) > used_rate) IS NOT TRUE
      ON CONFLICT (key, attempt) DO NOTHING
      RETURNING key, sent_at
    )
    SELECT scopes.*, owner.state, rate.tokens_per_byte,
           (SELECT json_object_agg(key, sent_at) FROM admitted) AS admitted
      FROM owner CROSS JOIN rate LEFT JOIN scopes ON true`.execute(db);
  return toReservations(asked, rows);
}

/** One of each scope, or one without any. */
interface ReservationRow {
  id: string | null;
  cap_usd: number | null;
  held_usd: number;
  closed_by: string | null;
  has_room: boolean;
  state: BenchState | null;
  /** When they were sent, by key. */
  admitted: Record<string, string> | null;
  tokens_per_byte: number | null;
}

function toReservations(asked: readonly Asked[], rows: readonly ReservationRow[]): Reservation[] {
  const [first] = rows;
  const common = {
    tokensPerByte: first?.tokens_per_byte ?? null,
    state: first?.state ?? null,
    scopes: rows.flatMap(({ id, ...row }) =>
      id === null
        ? []
        : { id, capUsd: row.cap_usd, heldUsd: row.held_usd, closedBy: row.closed_by, hasRoom: row.has_room },
    ),
  };
  const admitted = new Map(Object.entries(first?.admitted ?? {}));
  return asked.map(({ intent, attempt }) => {
    const sentAt = admitted.get(intent.key);
    admitted.delete(intent.key); // of two that ask for one attempt in one question, one is admitted
    return { ...common, sent: sentAt === undefined ? null : { intent, attempt, sentAt } };
  });
}

function firstOf(asked: readonly Asked[]): Asked {
  const [first] = asked;
  if (!first) throw new BrokenInvariant('ledger: nothing is asked for');
  return first;
}

function toCallRow({ intent, attempt, used }: Asked) {
  return {
    ...{ key: intent.key, attempt, request_sha256: intent.requestSha256, request: intent.request },
    ...{ request_bytes: intent.requestBytes, bound_usd: intent.boundUsd, lease_ms: intent.leaseMs },
    used_rate: used.tokensPerByte,
  };
}

/** States of a bench in which a call of this kind may be paid for: a rubric's are for one that has ended. */
function payingStates(kind: CallIntent['kind']): readonly BenchState[] {
  return kind === 'rubric' ? ENDED_STATES : ['planned', 'running'];
}

/** @returns null where nothing but the attempt's number was in the way */
async function explainRefusal(
  db: Database,
  intent: CallIntent,
  { state, scopes }: Reservation,
): Promise<Admission | null> {
  if (state === null) return { kind: 'taken_over' };
  if (state === 'paused') return { kind: 'paused' };
  if (!payingStates(intent.kind).includes(state)) return { kind: 'ended', state };
  const missing = intent.scopeIds.filter((id) => !scopes.some((scope) => scope.id === id));
  if (missing.length > 0)
    throw new BrokenInvariant(`ledger: ${intent.key}: no budget scope ${missing.join(', ')}`);
  const full = scopes.find((scope) => !scope.hasRoom);
  if (!full) return null;
  const { id: scopeId, capUsd, heldUsd, closedBy } = full;
  const scope: FullScope = { scopeId, capUsd, heldUsd, boundUsd: intent.boundUsd, closedBy };
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
