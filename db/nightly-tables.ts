import type { ColumnType, Generated } from 'kysely';
import type { AnchorScores } from '../core/nightly/judge-evidence';
import type { ModelChange, ReportedModels } from '../core/nightly/reported-models';
import type { NightlyVerdict } from '../core/ratings/nightly-evidence';
import type { Json, MaybeJson } from './json-column';

export interface NightlyTables {
  bench_nightlies: NightliesTable;
  bench_nightly_baselines: NightlyBaselinesTable;
  bench_nights: NightsTable;
  bench_night_candidates: NightCandidatesTable;
}

type Timestamp = ColumnType<Date, Date | string | undefined, Date | string>;

export interface NightliesTable {
  id: string;
  /** Unique among those that are not deleted; the Schedule's name follows from it. */
  name: string;
  /** A BenchInput as JSON; a night adds its cap and its seed. */
  input: string;
  /** Cap of a night. */
  budget_usd: number;
  alpha: number;
  seed: number;
  on_regression_kind: 'command' | 'webhook' | null;
  on_regression: string | null;
  /** The one in force: nights before the last accept count no more. */
  baseline: Generated<number>;
  created_at: Timestamp;
  deleted_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface NightlyBaselinesTable {
  nightly_id: string;
  baseline: number;
  pinned_bench: string | null;
  /** Hypothesis ids. */
  opponents: Json<string[]>;
  anchors: Json<[string, string][]>;
  accepted_at: Timestamp;
}

export interface NightsTable {
  nightly_id: string;
  /** From 1, in the order in which they began. */
  night: number;
  /** `baseline`: an ordinary bench, whose hypotheses become the panel. */
  kind: 'baseline' | 'measured';
  baseline: number;
  namespace: string;
  workflow_id: string;
  first_run_id: string;
  /** null until its bench is planned. */
  bench_id: string | null;
  started_at: Timestamp;
  judged_at: Date | null;
  anchors: MaybeJson<AnchorScores>;
  judge_value: number | null;
  judge_highest: number | null;
  has_judge_drifted: boolean | null;
  models: MaybeJson<ReportedModels>;
  changes: MaybeJson<ModelChange[]>;
  /** Of the command or webhook: written before it is called, so it is called once at most. */
  told_state: 'telling' | 'told' | 'failed' | null;
  told_detail: string | null;
}

export interface NightCandidatesTable {
  nightly_id: string;
  night: number;
  position: number;
  label: string;
  /** null: too little was played. */
  score: number | null;
  played: number;
  planned: number;
  /** With a score, since the last accept. */
  nights: number;
  drop_value: number;
  gain_value: number;
  highest_drop: number;
  highest_gain: number;
  attainable: number;
  verdict: NightlyVerdict;
}
