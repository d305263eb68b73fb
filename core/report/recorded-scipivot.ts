import type { Order } from '../ids';
import type { Comparison } from '../scipivot/compare';
import type { PredictionStatus, ScipivotScore } from '../scipivot/score';

/** SciΠvot as those may see it who run candidates: no label, and no score of a single case. */
export interface RecordedScipivot {
  dataSet: { name: string; nCases: number; promptsSha256: string; promptsBytes: number; isPinned: boolean };
  /** By position. */
  prompts: { position: number; caseId: string; order: Order; prompt: string }[];
  /** Candidates, then judges, each in the order of the plan. */
  subjects: RecordedSubject[];
  /** By subject and position. */
  sessions: RecordedSession[];
  /** Sums over all cases; by subject. */
  scores: { subject: string; score: ScipivotScore }[];
  comparisons: { role: 'candidate' | 'judge'; comparison: Comparison }[];
}

export interface RecordedSubject {
  /** A candidate's label, or a judge as `provider:model`. */
  subject: string;
  role: 'candidate' | 'judge';
  position: number;
  provider: string;
  model: string;
  state: 'asking' | 'asked' | 'over_budget' | 'failed';
  failureKind: string | null;
  holdReason: string | null;
}

export interface RecordedSession {
  subject: string;
  /** Its prompt's. */
  position: number;
  epoch: number;
  status: PredictionStatus;
  /** null exactly where the status is not `ok`. */
  response: string | null;
  reason: string | null;
  callKey: string;
}
