import type { CallState } from './bench-states';
import { CALL_FAILURES, type CallFailure } from './completion';

/** One row of the ledger under a key, as far as the decision needs it. */
export interface PastAttempt {
  attempt: number;
  state: CallState;
  requestSha256: string;
  epoch: number;
  failureKind: CallFailure | null;
  /** Milliseconds until the lease of a `sent` attempt ends; zero or less: it has ended. */
  leaseLeftMs: number;
  /** Milliseconds since it was sent. */
  ageMs: number;
}

export type CallDecision =
  | { kind: 'read'; attempt: number }
  | { kind: 'mismatch'; attempt: number }
  | { kind: 'wait'; ms: number }
  /** The lease of this attempt has ended without a word: it goes in doubt before anything else. */
  | { kind: 'expire'; attempt: number }
  | { kind: 'give_up'; reason: CallFailure | 'attempts_exhausted' }
  | { kind: 'send'; attempt: number };

export interface AttemptLimits {
  /** Requests a key may send; those put off (429, 529) or never sent apart. */
  maxAttempts: number;
  /** How long a key may go on being put off or without a connection, in milliseconds since its first request. */
  maxThrottledMs: number;
}

/**
 * What to do about a call, from what the ledger knows of it. A settled key is never sent again; a live lease is
 * waited for; how often a request went out is counted here, not by the engine's retries. A failure that asking
 * again cannot mend is final within its epoch: after a resume (a mended key, say) it may be asked again.
 */
export function decideCall(
  past: readonly PastAttempt[],
  intent: { requestSha256: string; epoch: number },
  limits: AttemptLimits,
): CallDecision {
  const settled = past.find((row) => row.state === 'settled');
  if (settled) {
    const isSame = settled.requestSha256 === intent.requestSha256;
    return { kind: isSame ? 'read' : 'mismatch', attempt: settled.attempt };
  }
  const sent = past.find((row) => row.state === 'sent');
  if (sent) {
    return sent.leaseLeftMs > 0
      ? { kind: 'wait', ms: sent.leaseLeftMs }
      : { kind: 'expire', attempt: sent.attempt };
  }
  const reason = reasonToGiveUp(
    past.filter((row) => row.epoch === intent.epoch),
    limits,
  );
  if (reason) return { kind: 'give_up', reason };
  return { kind: 'send', attempt: 1 + Math.max(0, ...past.map((row) => row.attempt)) };
}

function reasonToGiveUp(
  past: readonly PastAttempt[],
  limits: AttemptLimits,
): CallFailure | 'attempts_exhausted' | null {
  const final = past.find((row) => row.failureKind && !CALL_FAILURES[row.failureKind].isRetryable);
  if (final?.failureKind) return final.failureKind;
  const throttled = past.filter((row) => isThrottled(row.failureKind));
  if (past.length - throttled.length >= limits.maxAttempts) return 'attempts_exhausted';
  const age = Math.max(0, ...past.map((row) => row.ageMs));
  return throttled.length > 0 && age > limits.maxThrottledMs ? 'attempts_exhausted' : null;
}

/** Nothing was begun: the provider put us off, or could not be reached. Bounded by time, not by tries. */
function isThrottled(kind: CallFailure | null): boolean {
  return kind === 'rate_limited' || kind === 'overloaded' || kind === 'not_sent';
}
