import type { AttemptLimits } from '../core/call-decision';
import type { BenchObserver } from '../core/call-event';
import type { Database } from '../db/database';
import type { LiteratureGateway } from './literature';
import type { Provider } from './providers/provider';

/** What activities work with; a test hands in its own. */
export interface ActivityDeps {
  /** Postgres as role bench_worker. */
  db: Database;
  /** Postgres as role bench_grader; null in a worker without that role. */
  graderDb: Database | null;
  /** The literature tools; null in a worker that does not serve them. */
  literature: LiteratureGateway | null;
  /** The providers this worker has keys for, by name. */
  providers: ReadonlyMap<string, Provider>;
  /** Whether the Temporal server knows the search attribute `bench_id` in this namespace. */
  hasBenchIdAttribute(): Promise<boolean>;
  calls: CallLimits;
  /** Aborted when the worker has been told to stop and its grace has ended; left out: the activity's own signal tells. */
  stopped?: AbortSignal;
  /** Counts and logs; left out: nobody does. */
  observer?: BenchObserver;
  /** Where artifacts go when a bench has ended; left out: nowhere. */
  artifactsDir?: string;
}

export interface CallLimits extends AttemptLimits {
  /** How long a request may take, in milliseconds. */
  timeoutMs: number;
  /**
   * How long a sent request counts as alive without a renewal; renewed at a third of it. A bench that is created or
   * resumed here has it for its heartbeats' timeout too, so both notice a dead worker after the same time.
   */
  leaseMs: number;
  /** How long a call in flight may go on after a cancellation or a shutdown began. */
  graceMs: number;
  /** Before a failed request goes out again; core/retry-delay.ts says how it grows, and what a Retry-After does to it. */
  retryDelayMs: number;
  /** The longest pause between two attempts, also where a provider's Retry-After asks for more. */
  maxRetryAfterMs: number;
}

export const DEFAULT_CALL_LIMITS: CallLimits = {
  maxAttempts: 4,
  maxThrottledMs: 2 * 3_600_000,
  timeoutMs: 10 * 60_000,
  leaseMs: 9_000,
  graceMs: 30_000,
  retryDelayMs: 2_000,
  maxRetryAfterMs: 5 * 60_000,
};

/** The bench an activity works for; an activity of an older epoch is refused. */
export interface BenchRef {
  benchId: string;
  epoch: number;
}
