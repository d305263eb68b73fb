import type { ColumnType } from 'kysely';
import type { Order } from '../core/ids';
import type { Comparison } from '../core/scipivot/compare';
import type { Letter } from '../core/scipivot/public-case';
import type { PredictionStatus, ScipivotScore } from '../core/scipivot/score';

/** Tables of SciΠvot. Which role may read and write which: db/roles.ts. */
export interface ScipivotTables {
  bench_scipivot_sets: SetsTable;
  bench_scipivot_prompts: PromptsTable;
  /** The grader's alone to read. */
  bench_scipivot_keys: KeysTable;
  /** The grader's alone to read. */
  bench_scipivot_references: ReferencesTable;
  bench_scipivot_subjects: SubjectsTable;
  bench_scipivot_sessions: SessionsTable;
  /** The grader's alone to read: with its answers a case's score is its label. */
  bench_scipivot_case_scores: CaseScoresTable;
  bench_scipivot_scores: ScoresTable;
  bench_scipivot_comparisons: ComparisonsTable;
}

/** A data set under its name, for good: it is loaded once and never changed. */
export interface SetsTable {
  name: string;
  n_cases: number;
  /** Of the file `prompts.jsonl`. */
  prompts_sha256: string;
  prompts_bytes: number;
  /** Whether its references say that they are of the pinned revision. */
  is_pinned: boolean;
  loaded_at: ColumnType<Date, never, never>;
}

/** `position` counts the sessions from 0: by case id, then ab and ba. */
export interface PromptsTable {
  set_name: string;
  position: number;
  case_id: string;
  order: Order;
  prompt: string;
}

/** The hash of a small file of labels would give them away, so it stands with them. */
export interface KeysTable {
  set_name: string;
  revision: string;
  references_sha256: string;
  references_bytes: number;
}

export interface ReferencesTable {
  set_name: string;
  case_id: string;
  label: Letter;
}

/** Who is asked: the bench's candidates, and its judges. */
export type SubjectRole = 'candidate' | 'judge';
export type SubjectState = 'asking' | 'asked' | 'over_budget' | 'failed';

export interface SubjectsTable {
  bench_id: string;
  /** A candidate's label, or a judge as `provider:model`. */
  subject: string;
  role: SubjectRole;
  /** Among those of its role. */
  position: number;
  provider: string;
  model: string;
  set_name: string;
  state: SubjectState;
  failure_kind: string | null;
  /** Why its sessions stopped until somebody unpauses the bench; null while they go on. */
  hold_reason: string | null;
}

export interface SessionsTable {
  bench_id: string;
  subject: string;
  /** The prompt's. */
  position: number;
  epoch: number;
  status: PredictionStatus;
  /** Raw text; null exactly where the status is not `ok`. */
  response: string | null;
  /** What the status leaves out, in one word of ours. */
  reason: string | null;
  call_key: string;
}

export interface CaseScoresTable {
  bench_id: string;
  subject: string;
  case_id: string;
  score: number;
}

export interface ScoresTable {
  bench_id: string;
  subject: string;
  score: ColumnType<ScipivotScore, string, string>;
}

export interface ComparisonsTable {
  bench_id: string;
  role: SubjectRole;
  comparison: ColumnType<Comparison, string, string>;
}
