import type { Comparison } from './compare';
import type { SCIPIVOT_LIMITS } from './limits';
import type { ScipivotScore, SessionFailure } from './score';

/** What a bench's SciΠvot sessions came to. Sums over all cases; money in USD. */
export interface ScipivotSummary {
  dataSet: string;
  nCases: number;
  /** Of the file of prompts: figures of others compare only where it is theirs. */
  promptsSha256: string;
  /** Whether the references say that they are of the pinned revision. */
  isPinned: boolean;
  /** Candidates, then judges, as the plan has them. */
  subjects: ScipivotSubject[];
  /** Each pair of candidates, and of judges; empty before they were graded. */
  differences: Comparison['differences'];
  /** Shares of 1: a difference within it on both sides is of no interest. null before anything was graded. */
  margin: number | null;
  /** What none of it may be read without. */
  limits: typeof SCIPIVOT_LIMITS;
}

export interface ScipivotSubject {
  /** A candidate's label, or a judge as `provider:model`. */
  subject: string;
  role: 'candidate' | 'judge';
  provider: string;
  model: string;
  state: 'asking' | 'asked' | 'over_budget' | 'failed';
  /** Why it failed, or is held; null: neither. */
  reason: string | null;
  nSessions: number;
  /** Sessions that have ended, in whatever way. */
  nEnded: number;
  /** null until it was graded. */
  score: ScipivotScore | null;
  /** Sum of the known costs; `nUnknownCost` calls and `inDoubtUsd` (at their bounds) are not in it. */
  costUsd: number;
  nUnknownCost: number;
  inDoubtUsd: number;
}

/** The failures that there were, by kind. */
export function failuresOf(score: ScipivotScore): Partial<Record<SessionFailure, number>> {
  return Object.fromEntries(Object.entries(score.failures).filter(([, count]) => count > 0));
}
