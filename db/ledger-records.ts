import type { BenchState, CallKind } from '../core/bench-states';
import type { CallFailure, Usage } from '../core/completion';
import type { SettledCall } from './ledger-reads';

/** A request that somebody wants to make, before anything is paid. */
export interface CallIntent {
  key: string;
  kind: CallKind;
  benchId: string;
  epoch: number;
  provider: string;
  model: string;
  /** Budget scopes it is charged to; all of them must have room. */
  scopeIds: string[];
  requestSha256: string;
  /** The body as JSON text. */
  request: string;
  /** UTF-8 bytes of `request`. */
  requestBytes: number;
  /** The most this call may cost, in USD. */
  boundUsd: number;
  leaseMs: number;
}

/** A request that was admitted: all that its row says, so that whoever sends it can write that row anew. */
export interface SentCall {
  intent: CallIntent;
  attempt: number;
  /** By Postgres' clock, ISO 8601 with microseconds: tells it from another request that has come to its number. */
  sentAt: string;
}

export type Admission =
  | ({ kind: 'admitted' } & SentCall)
  | ({ kind: 'settled' } & SettledCall)
  | { kind: 'busy'; forMs: number }
  | { kind: 'mismatch'; attempt: number }
  | { kind: 'given_up'; reason: CallFailure | 'attempts_exhausted' }
  /** No room while other calls hold their bounds; asking again later may find some. */
  | ({ kind: 'no_room_yet' } & FullScope)
  | ({ kind: 'over_budget' } & FullScope)
  | { kind: 'taken_over' }
  | { kind: 'paused' }
  /** The bench has ended; nothing more is paid for it. */
  | { kind: 'ended'; state: BenchState };

export interface FullScope {
  scopeId: string;
  capUsd: number | null;
  heldUsd: number;
  boundUsd: number;
  closedBy: string | null;
}

export interface Settlement {
  response: string;
  requestId: string | null;
  reportedModel: string | null;
  usage: Usage;
  /** Tokens × table; null when either is unknown. */
  computedUsd: number | null;
  latencyMs: number;
}

export interface FailedCall {
  kind: CallFailure;
  endsAs: 'failed' | 'in_doubt';
  httpStatus: number | null;
  requestId: string | null;
  /** What the provider says it cost all the same; null: it says nothing. */
  reportedUsd: number | null;
  /** 0: refused; null: unknown, charged at its bound. */
  computedUsd: number | null;
  latencyMs: number;
}
