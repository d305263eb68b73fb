import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from './database';

/** How often a host may be asked, by all workers together. */
export interface HostPolicy {
  /** Host name, with a mark of the credential where there is one: limits are counted for both. */
  host: string;
  /** Between the starts of two requests. */
  gapMs: number;
  /**
   * How far after its turn a request may still start; later, it takes a new turn. Any k + 1 requests therefore
   * start at least `k × gapMs − slackMs` apart.
   */
  slackMs: number;
  /**
   * For hosts that allow one connection only: how long after its turn a holder is believed alive. null: no lease.
   * Has to exceed the request's own time limit.
   */
  leaseMs: number | null;
}

export interface HostTurn {
  /** Has to be called when the answer has been read to its end; harmless without a lease. */
  release(): Promise<void>;
}

/** The one limiter of all literature hosts. */
export interface HostSlots {
  /**
   * Returns when this caller may send its one request.
   * @throws HostBusy when no turn comes within `maxWaitMs`; the signal's reason when it is aborted
   */
  take(policy: HostPolicy, options: { signal: AbortSignal; maxWaitMs: number }): Promise<HostTurn>;
  /** The host asked for quiet: no new turn begins within `ms`. */
  defer(host: string, ms: number): Promise<void>;
}

export class HostBusy extends Error {
  constructor(
    readonly host: string,
    readonly maxWaitMs: number,
  ) {
    super(`${host}: no turn within ${maxWaitMs} ms`);
    this.name = 'HostBusy';
  }
}

/** Where turns are written down: Postgres, or one process's memory. */
export interface SlotBook {
  /**
   * Books the next turn if it comes within `maxWaitMs` and the lease, where one is needed, is free.
   * `leased`: another holds the lease for at most `forMs` more; ask again.
   */
  book(policy: HostPolicy, owner: string, maxWaitMs: number): Promise<Booking>;
  release(host: string, owner: string): Promise<void>;
  defer(host: string, ms: number): Promise<void>;
}

export type Booking = { kind: 'turn'; inMs: number } | { kind: 'leased'; forMs: number } | { kind: 'busy' };

/** Turns from a table that all workers share. Needs no transaction: each booking is one statement. */
export function createPostgresSlots(db: Database): HostSlots {
  return createHostSlots(postgresSlotBook(db));
}

/** Waits for booked turns, and books anew when it wakes too late to use one. */
export function createHostSlots(book: SlotBook): HostSlots {
  return {
    take: (policy, options) => takeTurn(book, policy, options),
    defer: (host, ms) => book.defer(host, ms),
  };
}

async function takeTurn(
  book: SlotBook,
  policy: HostPolicy,
  { signal, maxWaitMs }: { signal: AbortSignal; maxWaitMs: number },
): Promise<HostTurn> {
  const owner = randomUUID();
  const giveUpAt = performance.now() + maxWaitMs;
  for (;;) {
    signal.throwIfAborted();
    const askedAt = performance.now();
    const booking = await book.book(policy, owner, Math.max(0, giveUpAt - askedAt));
    if (booking.kind === 'busy') throw new HostBusy(policy.host, maxWaitMs);
    if (booking.kind === 'leased') {
      if (performance.now() >= giveUpAt) throw new HostBusy(policy.host, maxWaitMs);
      await pause(Math.min(booking.forMs, LEASE_POLL_MS), signal);
      continue;
    }
    const turn = { release: () => releaseLease(book, policy, owner) };
    if (await isInTime(booking.inMs, askedAt, policy, signal).catch(releaseAndThrow(turn))) return turn;
    await turn.release();
  }
}

/**
 * Waits for the turn. It was counted from an instant between the question and its answer: counting from the answer
 * it is never early, counting lateness from the question it is never later than we think.
 */
async function isInTime(inMs: number, askedAt: number, policy: HostPolicy, signal: AbortSignal) {
  await pause(inMs, signal);
  return performance.now() - (askedAt + inMs) <= policy.slackMs;
}

function releaseAndThrow(turn: HostTurn): (error: unknown) => Promise<never> {
  return async (error) => {
    await turn.release();
    throw error;
  };
}

const LEASE_POLL_MS = 100;

async function releaseLease(book: SlotBook, policy: HostPolicy, owner: string): Promise<void> {
  if (policy.leaseMs !== null) await book.release(policy.host, owner);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0) return;
  await sleep(Math.ceil(ms), undefined, { signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw error;
  });
}

/**
 * `next_at` is the first instant that is still free. A turn is `greatest(next_at, now)`, and takes `gap` from there.
 * All times are the database's clock, so that machines need not agree.
 */
export function postgresSlotBook(db: Database): SlotBook {
  return {
    async book(policy, owner, maxWaitMs) {
      let inMs = await bookTurn(db, policy, owner, maxWaitMs);
      if (inMs === null && (await addHost(db, policy.host)))
        inMs = await bookTurn(db, policy, owner, maxWaitMs);
      if (inMs !== null) return { kind: 'turn', inMs };
      const row = await readSlot(db, policy.host);
      if (row.next_in_ms > maxWaitMs) return { kind: 'busy' };
      return { kind: 'leased', forMs: Math.max(0, row.lease_for_ms ?? 0) };
    },
    async release(host, owner) {
      await sql`UPDATE bench_host_slots SET lease_owner = NULL, lease_until = NULL
                 WHERE host = ${host} AND lease_owner = ${owner}`.execute(db);
    },
    async defer(host, ms) {
      await sql`UPDATE bench_host_slots SET next_at = greatest(next_at, clock_timestamp() + ${interval(ms)})
                 WHERE host = ${host}`.execute(db);
    },
  };
}

/** Milliseconds until the turn; null when none can be had now. */
async function bookTurn(
  db: Database,
  { host, gapMs, leaseMs }: HostPolicy,
  owner: string,
  maxWaitMs: number,
): Promise<number | null> {
  const needsLease = leaseMs !== null;
  const { rows } = await sql<{ in_ms: number }>`
    UPDATE bench_host_slots
       SET next_at = greatest(next_at, clock_timestamp()) + ${interval(gapMs)},
           lease_owner = CASE WHEN ${needsLease}::boolean THEN ${owner}::text ELSE lease_owner END,
           lease_until = CASE WHEN ${needsLease}::boolean
                              THEN greatest(next_at, clock_timestamp()) + ${interval(leaseMs ?? 0)}
                              ELSE lease_until END
     WHERE host = ${host}
       AND (NOT ${needsLease}::boolean OR lease_until IS NULL OR lease_until < clock_timestamp())
       AND next_at <= clock_timestamp() + ${interval(maxWaitMs)}
    RETURNING ${millisecondsUntil(sql`next_at - ${interval(gapMs)}`)} AS in_ms`.execute(db);
  const inMs = rows[0]?.in_ms;
  return inMs === undefined ? null : Math.max(0, inMs);
}

async function readSlot(
  db: Database,
  host: string,
): Promise<{ next_in_ms: number; lease_for_ms: number | null }> {
  const { rows } = await sql<{ next_in_ms: number; lease_for_ms: number | null }>`
    SELECT ${millisecondsUntil(sql`next_at`)} AS next_in_ms,
           ${millisecondsUntil(sql`lease_until`)} AS lease_for_ms
      FROM bench_host_slots WHERE host = ${host}`.execute(db);
  return rows[0] ?? { next_in_ms: 0, lease_for_ms: null };
}

/** @returns whether the host was new */
async function addHost(db: Database, host: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    INSERT INTO bench_host_slots (host, next_at) VALUES (${host}, clock_timestamp())
    ON CONFLICT (host) DO NOTHING`.execute(db);
  return numAffectedRows > 0n;
}

function interval(ms: number) {
  return sql`make_interval(secs => ${ms / 1000}::float8)`;
}

function millisecondsUntil(time: RawBuilder<unknown>) {
  return sql`(extract(epoch FROM (${time}) - clock_timestamp()) * 1000)::float8`;
}
