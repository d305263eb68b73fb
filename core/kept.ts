import type { HypothesisState } from './bench-states';

/** States of the hypotheses that count: reviewed, or let into the tournament. */
export const KEPT_STATES: readonly HypothesisState[] = ['reviewed', 'in_tournament'];

export function isKept({ state }: { state: HypothesisState }): boolean {
  return KEPT_STATES.includes(state);
}
