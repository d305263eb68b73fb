import type { RubricScore } from '../evaluation/rubric';
import type { RecordedBudget } from './recorded-bench';

/** What judges gave a bench's work after its end, and the budget that paid them: apart from all figures of the bench. */
export interface RecordedRubric {
  budget: Omit<RecordedBudget, 'kind'>;
  /** By agent, version, judge and subject. */
  scores: RecordedRubricScore[];
}

export interface RecordedRubricScore extends RubricScore {
  callKey: string;
}
