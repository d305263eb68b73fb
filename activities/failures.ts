import { ApplicationFailure } from '@temporalio/common';
import type { BenchTakenOver } from '../db/benches';
import type { FullScope } from '../db/ledger-records';
import type { CallUnbookable } from '../db/ledger-rewrite';

/** Failures that cross Temporal: a stable type, structured details, and no prompt, answer or key in either. */

export function budgetExceeded(key: string, scope: FullScope): ApplicationFailure {
  const cause = scope.closedBy
    ? `closed because ${scope.closedBy} cost more than its bound`
    : `cap $${scope.capUsd}, held $${scope.heldUsd}, this call at most $${scope.boundUsd}`;
  return ApplicationFailure.create({
    type: 'BudgetExceeded',
    message: `${scope.scopeId}: over budget at ${key}: ${cause}`,
    nonRetryable: true,
    details: [{ ...scope, key }],
  });
}

export function benchTakenOver(error: BenchTakenOver): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'BenchTakenOver',
    message: error.message,
    nonRetryable: true,
    details: [{ benchId: error.benchId, epoch: error.epoch, currentEpoch: error.currentEpoch }],
  });
}

/** The bench has ended: what still runs of it, after a reset say, is not to pay any more. */
export function benchEnded(benchId: string, state: string): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'BenchEnded',
    message: `bench ${benchId}: has ended (${state}); co-scientist resume takes it up again`,
    nonRetryable: true,
    details: [{ benchId, state }],
  });
}

/**
 * Postgres has lost a bench, or a budget of it, while a request for it was out.
 * @param costUsd what that came to; null: unknown
 */
export function callUnbookable(error: CallUnbookable, costUsd: number | null): ApplicationFailure {
  const { key, attempt, missing } = error;
  const cost = costUsd === null ? 'an unknown sum' : `$${costUsd}`;
  return ApplicationFailure.create({
    type: 'CallUnbookable',
    message: `${key}#${attempt}: cost ${cost} and cannot be booked: the database has lost its row and ${missing}`,
    nonRetryable: true,
    details: [{ key, attempt, missing, costUsd }],
  });
}

export function tryLater(type: string, message: string, afterMs: number | undefined): ApplicationFailure {
  return ApplicationFailure.create({
    type,
    message,
    nonRetryable: false,
    ...(afterMs === undefined ? {} : { nextRetryDelay: Math.max(1, Math.ceil(afterMs)) }),
  });
}

export function providerMissing(provider: string): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'ProviderMissing',
    message: `provider ${provider}: this worker has no key for it`,
    nonRetryable: false,
    details: [{ provider }],
  });
}
