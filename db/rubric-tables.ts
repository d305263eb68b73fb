import type { EvalAgent } from '../core/evaluation/eval-check';
import type { RubricMark } from '../core/evaluation/rubric';
import type { MaybeJson } from './json-column';

/** Tables of rubric scores. */
export interface RubricTables {
  bench_rubric_scores: RubricScoresTable;
}

export interface RubricScoresTable {
  bench_id: string;
  agent: EvalAgent;
  /** Of the rubric. */
  version: number;
  /** Id of a hypothesis, a match or the bench. */
  subject: string;
  judge: string;
  call_key: string;
  state: 'valid' | 'invalid';
  marks: MaybeJson<RubricMark[]>;
  reason: string | null;
  detail: string | null;
}
