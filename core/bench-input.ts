/**
 * The one JSON object that starts a bench, from the CLI, `temporal workflow start`, the UI or a Schedule.
 * Field meanings, ranges and defaults: docs/guide/bench-input.md.
 */
export interface BenchInput {
  preset?: string;
  goal?: string;
  candidates?: CandidateInput[];
  /** `provider:model`, or an array of them: a panel. */
  judge?: string | string[];
  /** `provider:model` or `none`. */
  reviewer?: string;
  n?: number;
  matches?: number;
  orders?: Orders;
  verdictMode?: VerdictMode;
  debateTurns?: number;
  judgeView?: JudgeView;
  repeatShare?: number;
  goldSet?: string;
  goldSources?: GoldSources;
  budgetPerCandidateUsd?: number;
  judgeBudgetUsd?: number;
  budgetUsd?: number | null;
  onJudgeCap?: OnJudgeCap;
  prices?: Record<string, DeclaredPrice>;
  maxInFlight?: number;
  seed?: number;
  replicates?: number;
  generation?: GenerationLimitsInput;
  /** `off`, or a budget in tokens. */
  thinking?: Thinking;
  literature?: LiteratureMode;
  scipivot?: string;
  allowSelfJudging?: boolean;
  probe?: boolean;
  session?: string;
  /** A bench id: work over that bench's rows. Nothing else but `takeOver` may stand beside it. */
  resume?: string;
  takeOver?: boolean;
}

export type CandidateInput = string | CandidateSpec;

/** One candidate, parsed. `mode` defaults to `pipeline`. */
export interface CandidateSpec {
  /** 1–64 characters of `[A-Za-z0-9._[\]-]`. */
  label: string;
  provider: string;
  model: string;
  mode?: Mode;
}

/** A price in USD per million tokens. */
export interface DeclaredPrice {
  inputUsdPerMTok: number;
  outputUsdPerMTok: number;
  /** Input read from, and written to, the provider's cache; core/prices.ts says what is taken where it is left out. */
  cacheReadUsdPerMTok?: number;
  cacheWriteUsdPerMTok?: number;
}

export interface GenerationLimits {
  /** Model turns a slot may take, repairs included. */
  maxTurns: number;
  maxToolCalls: number;
  maxOutputTokens: number;
}
export type GenerationLimitsInput = Partial<GenerationLimits>;

export type Mode = 'pipeline' | 'direct';
export type Orders = 'both' | 'balanced';
export type VerdictMode = 'single' | 'debate';
export type JudgeView = 'full' | 'text';
export type GoldSources = 'withhold' | 'allow';
export type OnJudgeCap = 'end' | 'wait';
export type LiteratureMode = 'live' | 'bundled';
export type Thinking = 'off' | number;
