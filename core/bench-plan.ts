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
import type { ModelPrice } from './prices';

/** A BenchInput with its preset and defaults filled in and every model priced. Frozen once a bench has it. */
export interface BenchPlan {
  preset: string | null;
  goal: string;
  candidates: PlannedCandidate[];
  judges: PlannedModel[];
  reviewer: PlannedModel | null;
  n: number;
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
  allowSelfJudging: boolean;
  probe: boolean;
  session: string | null;
  /** The dated table the prices come from. */
  priceTable: { name: string; asOf: string };
  /** True when any model is `sim`: every figure of the bench is then labelled simulated. */
  isSimulated: boolean;
}

export interface PlannedModel {
  provider: string;
  model: string;
  price: ModelPrice;
}

export interface PlannedCandidate extends PlannedModel {
  label: string;
  mode: Mode;
}

/** What planning may choose from: names as they stand in the registries. */
export interface Catalogue {
  providers: string[];
  presets: Record<string, BenchPreset>;
  goldSets: string[];
  priceTable: { name: string; asOf: string; prices: Record<string, ModelPrice> };
  /** Names of the `sim` models. */
  simModels: string[];
}

export interface BenchPreset {
  description: string;
  input: BenchInput;
}

export type PlanResult = { plan: BenchPlan } | { problems: string[] };
