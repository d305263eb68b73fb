import type { CallKind } from './bench-states';
import type { CallFailure } from './completion';

/** How a request to a model ended, for whoever counts or logs: ids and numbers, and none of its words. */
export interface CallEvent {
  benchId: string;
  /** The call's place in the bench. */
  key: string;
  attempt: number;
  kind: CallKind;
  provider: string;
  model: string;
  /** null: an answer came. */
  failure: CallFailure | null;
  /** Reported, else by the price table; null: unknown, which is not 0. */
  costUsd: number | null;
  inputTokens: number | null;
  outputTokens: number | null;
  latencyMs: number;
}

/** What a verdict came to. */
export interface VerdictEvent {
  benchId: string;
  matchId: string;
  state: 'valid' | 'invalid';
  /** Why there is none; null: there is one. */
  reason: string | null;
  /** What its match came to by it; null: other verdicts are still to come. */
  match: 'played' | 'unplayed' | null;
}

/** Is told what happens while it happens; must not throw, and must not wait. */
export interface BenchObserver {
  callEnded(event: CallEvent): void;
  verdictGiven(event: VerdictEvent): void;
}
