import type {
  BenchInput,
  GenerationLimits,
  GoldSources,
  JudgeView,
  LiteratureMode,
  Mode,
  OnJudgeCap,
  Orders,
  Thinking,
  VerdictMode,
} from './bench-input';
import type { ModelPrice, PriceTable } from './prices';
import type { Suggest } from './problem-text';
import type { SimTraits } from './sim-model';

/** A BenchInput with its preset and defaults filled in and every model priced. Frozen once a bench has it. */
export interface BenchPlan {
  preset: string | null;
  goal: string;
  candidates: PlannedCandidate[];
  judges: PlannedModel[];
  reviewer: PlannedModel | null;
  n: number;
  /** How often all of it is run, with fresh hypotheses: n a candidate and run. Left out: once. */
  replicates?: number;
  matches: number;
  orders: Orders;
  verdictMode: VerdictMode;
  debateTurns: number;
  judgeView: JudgeView;
  repeatShare: number;
  goldSet: string | null;
  goldSources: GoldSources;
  budgets: { perCandidateUsd: number; judgeUsd: number; benchUsd: number | null };
  onJudgeCap: OnJudgeCap;
  maxInFlight: number;
  seed: number;
  generation: GenerationLimits;
  thinking: Thinking;
  literature: LiteratureMode;
  /** Name of the SciΠvot data set that candidates and judges are asked; null: none. */
  scipivot: string | null;
  allowSelfJudging: boolean;
  probe: boolean;
  session: string | null;
  /** The dated table the prices come from. */
  priceTable: { name: string; asOf: string };
  /** True when any model is `sim`: every figure of the bench is then labelled simulated. */
  isSimulated: boolean;
  /** Version of each prompt by name: ratings are comparable only where these are equal. */
  prompts: Record<string, number>;
  /** What the user should know before the first paid call, a sentence each. */
  notes: string[];
}

export interface PlannedModel {
  provider: string;
  model: string;
  price: ModelPrice;
}

export interface PlannedCandidate extends PlannedModel {
  label: string;
  mode: Mode;
  /** When its model could first be called, `YYYY-MM-DD`; null: not known; plans of old have no such field. */
  releasedOn?: string | null;
}

/** What planning may choose from: the registries, as data. */
export interface Catalogue {
  /** Names of the providers; a named compatible one, `compat-<name>`, is known by its pattern. */
  providers: string[];
  presets: Record<string, BenchPreset>;
  goldSets: string[];
  priceTable: PriceTable;
  /** When a model could first be called, `YYYY-MM-DD`, by `provider:model`. */
  releases: Record<string, string>;
  /** The named `sim` models. */
  simModels: Record<string, SimTraits>;
  /** Version of each prompt by name. */
  prompts: Record<string, number>;
  suggest: Suggest;
}

export interface BenchPreset {
  description: string;
  /** What each label stands for, where a model that can no longer be called is stood in for. */
  standsFor?: Record<string, string>;
  input: BenchInput;
}

export type PlanResult = { plan: BenchPlan } | { problems: string[] };
