import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  ChildWorkflowFailure,
  isCancellation,
  TimeoutFailure,
} from '@temporalio/workflow';

/** The `ApplicationFailure` at the root of what an activity or a child threw, if that is what it was. */
export function findApplicationFailure(error: unknown): ApplicationFailure | undefined {
  if (error instanceof ApplicationFailure) return error;
  if (error instanceof ActivityFailure || error instanceof ChildWorkflowFailure) {
    return findApplicationFailure(error.cause);
  }
  return undefined;
}

/**
 * What ended the work: its cancellation, also where that came upon an activity whose attempt failed then. Temporal tries
 * such a one no more, and reports the failure instead.
 */
export function causeOfEnd(error: unknown): unknown {
  if (isCancellation(error) || !CancellationScope.current().consideredCancelled) return error;
  const isTakenOver = findApplicationFailure(error)?.type === 'BenchTakenOver';
  return isTakenOver ? error : new CancelledFailure('cancelled');
}

export function isBudgetExceeded(error: unknown): boolean {
  return findApplicationFailure(error)?.type === 'BudgetExceeded';
}

/** No worker took the task in time. */
export function isUnanswered(error: unknown): boolean {
  return (
    error instanceof ActivityFailure &&
    error.cause instanceof TimeoutFailure &&
    error.cause.timeoutType === 'SCHEDULE_TO_START'
  );
}
