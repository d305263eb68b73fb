import type { RecordedHypothesis } from './recorded-bench';

/** Hypotheses that count: reviewed, or let into the tournament. */
export function isKept({ state }: Pick<RecordedHypothesis, 'state'>): boolean {
  return state === 'reviewed' || state === 'in_tournament';
}
