import { countText } from '../report/figure-text';

/** Who a check is about. `end-to-end` and `transcripts` are checked whoever is asked for. */
export const EVAL_AGENTS = ['generation', 'reflection', 'ranking', 'overview'] as const;
export type EvalAgent = (typeof EVAL_AGENTS)[number];
export type EvalArea = EvalAgent | 'end-to-end' | 'transcripts';

/** One rule held against everything in some transcripts that it speaks of. */
export interface EvalCheck {
  area: EvalArea;
  name: string;
  /** What was looked at, in the plural, as in `answers`. */
  unit: string;
  /** How many there were; 0: nothing to check, which is not a pass. */
  checked: number;
  violations: EvalViolation[];
  /** What is worth knowing and breaks no rule. */
  notes: string[];
}

export interface EvalViolation {
  /** An id: of a call, a hypothesis, a match, a file. */
  subject: string;
  message: string;
}

export type EvalState = 'passed' | 'failed' | 'nothing_to_check';

/** A violation fails a check even where nothing could be counted. */
export function evalState({ checked, violations }: EvalCheck): EvalState {
  if (violations.length > 0) return 'failed';
  return checked === 0 ? 'nothing_to_check' : 'passed';
}

/** `12 answers`, `1 match`. */
export function checkedText({ checked, unit }: EvalCheck): string {
  return countText(checked, unit === 'matches' ? 'match' : unit.replace(/s$/, ''), unit);
}
