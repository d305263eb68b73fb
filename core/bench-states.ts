export type BenchState = 'planned' | 'running' | 'paused' | 'finished' | 'failed' | 'cancelled';
/** It is at work, or will be: what is known of it may still change. */
export function isUnderWay(state: BenchState): boolean {
  return state === 'planned' || state === 'running' || state === 'paused';
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
