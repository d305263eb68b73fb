export interface RetryPace {
  /** Before the second request of a call; four times as long after each. */
  retryDelayMs: number;
  /** The longest pause between two requests. */
  maxRetryAfterMs: number;
}

/**
 * How long to wait before a call that had no answer goes out again, in milliseconds.
 *
 * A provider that names a time is taken at its word, but not for "at once" however often it says so: `Retry-After: 0`,
 * or a date that has passed, comes from servers whose clock or limiter is off, and a call is put off for hours, not for
 * a number of tries. So the wait is never below `retryDelayMs` for each request that has gone out, up to fifteen times.
 * @param attempt the one that failed, from 1
 * @param askedMs what the provider asked for; undefined: nothing
 */
export function retryDelay(attempt: number, askedMs: number | undefined, pace: RetryPace): number {
  const { retryDelayMs, maxRetryAfterMs } = pace;
  const delayMs =
    askedMs === undefined
      ? retryDelayMs * 4 ** Math.min(attempt - 1, 4)
      : Math.max(askedMs, retryDelayMs * Math.min(attempt, 15));
  return Math.min(delayMs, maxRetryAfterMs);
}
