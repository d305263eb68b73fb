import type { ColumnType, Generated } from 'kysely';
import type { Mode } from '../core/bench-input';
import type { BenchPlan } from '../core/bench-plan';
import type {
  BenchState,
  CallKind,
  CallState,
  CandidateState,
  HypothesisState,
  MatchState,
  VerdictState,
} from '../core/bench-states';
import type { BenchSummary } from '../core/bench-summary';
import type { Citation } from '../core/hypothesis';
import type { Order } from '../core/ids';
import type { BenchRatings } from '../core/ratings/rate-bench';
import type { GoldTables } from './gold-tables';
import type { Json } from './json-column';
import type { LiteratureTables } from './literature-tables';
import type { NightlyTables } from './nightly-tables';
import type { RubricTables } from './rubric-tables';
import type { ScipivotTables } from './scipivot-tables';

/** Tables of a bench; names and states as docs/guide/database.md lists them. */
export interface BenchTables
  extends GoldTables,
    LiteratureTables,
    NightlyTables,
    RubricTables,
    ScipivotTables {
  bench_runs: RunsTable;
  bench_candidates: CandidatesTable;
  bench_hypotheses: HypothesesTable;
  bench_tool_calls: ToolCallsTable;
  bench_reviews: ReviewsTable;
  bench_matches: MatchesTable;
  bench_verdicts: VerdictsTable;
  bench_budgets: BudgetsTable;
  bench_llm_calls: LlmCallsTable;
  bench_token_rates: TokenRatesTable;
}

type Timestamp = ColumnType<Date, Date | string | undefined, Date | string>;
type Computed<T> = ColumnType<T, never, never>;

export interface RunsTable {
  id: string;
  namespace: string;
  workflow_id: string;
  first_run_id: string;
  epoch: Generated<number>;
  state: BenchState;
  preset: string | null;
  goal: string;
  gold_set: string | null;
  seed: number;
  session: string;
  input: string;
  plan: Json<BenchPlan>;
  /** Literature tools that a worker could offer when the bench began, the same for all candidates. */
  offered_tools: ColumnType<OfferedTool[] | null, string | null | undefined, string | null>;
  failure_kind: string | null;
  failure_detail: string | null;
  /** Why the tournament holds by itself until somebody unpauses it. */
  hold_reason: string | null;
  summary: ColumnType<BenchSummary | null, string | null, string | null>;
  ratings: ColumnType<BenchRatings | null, string | null, string | null>;
  created_at: Timestamp;
  finished_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
}

/** A literature tool as the models of a bench are told of it. */
export interface OfferedTool {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
}

export interface CandidatesTable {
  id: string;
  bench_id: string;
  position: number;
  label: string;
  provider: string;
  model: string;
  mode: Mode;
  state: CandidateState;
  failure_kind: string | null;
  /** Why the candidate holds by itself until somebody unpauses it. */
  hold_reason: string | null;
  n_planned: number;
  n_hypotheses: Generated<number>;
  wins: Generated<number>;
  losses: Generated<number>;
  ties: Generated<number>;
  mean_elo: number | null;
  top_elo: number | null;
  /** Bradley–Terry rating, mean 1000, with its 95 % interval; null where there is none to give. */
  bt_elo: number | null;
  bt_low: number | null;
  bt_high: number | null;
  gold_hits: number | null;
  gold_hit_names: string | null;
  total_cost_usd: Generated<number>;
  n_unknown_cost: Generated<number>;
  in_doubt_usd: Generated<number>;
  total_input_tok: Generated<number>;
  total_output_tok: Generated<number>;
}

export interface HypothesesTable {
  id: string;
  bench_id: string;
  candidate_id: string;
  k: number;
  public_id: string;
  state: HypothesisState;
  failure_kind: string | null;
  failure_detail: string | null;
  draft_kind: 'original' | 'nudged' | null;
  duplicate_of: string | null;
  title: string | null;
  summary: string | null;
  full_text: string | null;
  mechanism: string | null;
  entities: ColumnType<string[] | null, string | null, string | null>;
  citations: ColumnType<Citation[] | null, string | null, string | null>;
  unsupported_citations: ColumnType<Citation[] | null, string | null, string | null>;
  falsification: string | null;
  content_sha256: string | null;
  elo: number | null;
}

export interface ToolCallsTable {
  hypothesis_id: string;
  turn: number;
  index: number;
  bench_id: string;
  call_id: string;
  tool: string;
  /** JSON text as the model gave it; null when it was not one JSON object. */
  arguments: string | null;
  arguments_sha256: string;
  /** The earlier call with equal arguments whose answer serves this one too. */
  repeats_turn: number | null;
  repeats_index: number | null;
  state: 'planned' | 'answered';
  outcome: 'found' | 'nothing_found' | 'part_found' | 'refused' | 'failed' | null;
  failure_kind: string | null;
  /** What the model saw. */
  answer: string | null;
  documents: ColumnType<ToolDocument[] | null, string | null, string | null>;
  cache: 'hit' | 'miss' | null;
  withheld_count: number | null;
  latency_ms: number | null;
}

/** A document as a tool showed it; the rest of what the gateway knows of it is kept beside. */
export interface ToolDocument {
  url: string;
  canonicalUrl: string;
  alsoAt: string[];
  title: string;
  excerpt: string;
  flags: string[];
}

export interface ReviewsTable {
  hypothesis_id: string;
  bench_id: string;
  reviewer: string;
  state: VerdictState;
  reason: string | null;
  detail: string | null;
  review: ColumnType<Record<string, unknown> | null, string | null, string | null>;
  call_key: string;
}

export interface MatchesTable {
  id: string;
  bench_id: string;
  index: number;
  cand_a: string;
  cand_b: string;
  hyp_a: string;
  hyp_b: string;
  state: Generated<MatchState>;
  reason: string | null;
  winner: 'a' | 'b' | 'tie' | null;
  score_a: number | null;
  agreement: 'agreed' | 'half_flip' | 'flip' | null;
  rationale: string | null;
  judge_cost_usd: number | null;
  /** Judged in one order only: the one its first judge is shown; null: in both. */
  one_order: Order | null;
  /** How often each of its verdicts is asked for again in the same order. */
  repeats: Generated<number>;
}

export interface VerdictsTable {
  match_id: string;
  order: Order;
  judge: string;
  /** 0: the verdict that counts; from 1: asked again in the same order, in no outcome. */
  repeat: Generated<number>;
  bench_id: string;
  state: VerdictState;
  winner_position: 'first' | 'second' | 'tie' | null;
  reason: string | null;
  detail: string | null;
  rationale: string | null;
  scores: ColumnType<CriterionScore[] | null, string | null, string | null>;
  call_key: string;
}

export interface CriterionScore {
  criterion: string;
  first: number;
  second: number;
}

export interface BudgetsTable {
  id: string;
  bench_id: string;
  kind: 'candidate' | 'judge' | 'bench' | 'rubric';
  cap_usd: number | null;
  held_usd: Generated<number>;
  /** The cap at which a call was last refused; the scope is open again once its cap is higher. */
  exceeded_cap_usd: number | null;
  /** The key of the call that cost more than its bound and so closed this scope. */
  closed_by: string | null;
}

export interface LlmCallsTable {
  key: string;
  attempt: number;
  bench_id: string;
  epoch: number;
  kind: CallKind;
  provider: string;
  model: string;
  scope_ids: string[];
  state: CallState;
  request_sha256: string;
  request: string;
  request_bytes: number;
  response: string | null;
  request_id: string | null;
  reported_model: string | null;
  failure_kind: string | null;
  http_status: number | null;
  bound_usd: number;
  reported_usd: number | null;
  computed_usd: number | null;
  cost_usd: Computed<number | null>;
  charged_usd: Computed<number>;
  overrun_usd: Computed<number | null>;
  input_tok: number | null;
  cached_input_tok: number | null;
  cache_write_tok: number | null;
  output_tok: number | null;
  reasoning_tok: number | null;
  lease_until: Date;
  sent_at: Timestamp;
  ended_at: Date | null;
  latency_ms: number | null;
}

export interface TokenRatesTable {
  bench_id: string;
  provider: string;
  model: string;
  n_settled: number;
  max_tokens_per_byte: number;
}
