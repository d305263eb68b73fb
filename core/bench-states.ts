export type BenchState = 'planned' | 'running' | 'paused' | 'finished' | 'failed' | 'cancelled';

export const ENDED_STATES: readonly BenchState[] = ['finished', 'failed', 'cancelled'];

/** Nothing more will come, unless somebody resumes it: what is known of it does not change. */
export function hasEnded(state: BenchState): boolean {
  return ENDED_STATES.includes(state);
}

export type CandidateState = 'planned' | 'generating' | 'ready' | 'over_budget' | 'dropped' | 'failed';
export type HypothesisState =
  | 'planned'
  | 'draft'
  | 'reviewed'
  | 'in_tournament'
  | 'failed'
  | 'duplicate'
  | 'over_budget';
export type MatchState = 'planned' | 'played' | 'unplayed';
export type VerdictState = 'valid' | 'invalid';
export type CallState = 'sent' | 'settled' | 'failed' | 'in_doubt' | 'superseded';
export type CallKind = 'probe' | 'generation' | 'review' | 'judge' | 'debate' | 'scipivot' | 'rubric';
