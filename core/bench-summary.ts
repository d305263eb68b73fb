import type { JudgeView, Mode, Orders, VerdictMode } from './bench-input';
import type { BenchState } from './bench-states';
import type { JudgeAgreement } from './ratings/judge-agreement';
import type { JudgeFlag } from './ratings/judge-flags';
import type { FirstNamed, PositionBias } from './ratings/judge-orders';
import type { PipelineMinusRaw } from './ratings/pipeline-minus-raw';
import type { ScipivotSummary } from './scipivot/summary';

/** What a bench came to: the workflow's result, `--json`, and `summary` in the exported bench file. Money in USD. */
export interface BenchSummary {
  format: 1;
  benchId: string;
  status: BenchState;
  /** True: the models were simulated, and so are all figures. */
  simulated: boolean;
  seed: number;
  /** How often it was run, with fresh hypotheses. */
  replicates: number;
  /** Two to four replicates: drift between runs is not in the intervals. From five on it is. */
  isDriftLeftOut: boolean;
  /** By rank. */
  candidates: CandidateSummary[];
  /** Of each model that plays in both modes; null where none does, or nothing is rated. */
  pipelineMinusRaw: PipelineMinusRaw | null;
  judge: {
    costUsd: number;
    verdicts: number;
    invalid: number;
    /** null: unknown, as of a panel that `isConductUnkept` tells of. */
    flips: number | null;
    halfFlips: number | null;
    /**
     * Flips over played matches; null when none was played, each in one order only, or its flips are unknown. Of a panel:
     * over its judges.
     */
    flipRate: number | null;
  };
  /** How was judged: what the ratings are ratings by. */
  judging: {
    orders: Orders;
    verdictMode: VerdictMode;
    /** Argument turns a side before each verdict; null without a debate. */
    debateTurns: number | null;
    judgeView: JudgeView;
    repeatShare: number;
    /** `provider:model`; null: nobody reviewed. */
    reviewer: string | null;
  };
  /** In the order of the plan. */
  judges: JudgeSummary[];
  /** Each two judges of a panel; null: unknown. */
  agreements: JudgeAgreement[] | null;
  /** What a reader should know of the judges before believing them; null: unknown. */
  flags: JudgeFlag[] | null;
  matches: {
    /** As the stored schedule has them; 0 until it is written. */
    scheduled: number;
    played: number;
    /** By reason; those that are neither played nor here wait still. */
    unplayed: Record<string, number>;
  };
  /** Sum of the known costs of all calls; as in a candidate's, the unknown and the doubtful stand beside it. */
  totalCostUsd: number;
  nUnknownCost: number;
  inDoubtUsd: number;
  /** Where the bench has a SciΠvot data set. */
  scipivot?: ScipivotSummary;
}

/**
 * One judge's part, repeats included in the counts and the cost. How it judged is unknown, and null, where its bench was
 * summed up before that was counted: see `isConductUnkept`.
 */
export interface JudgeSummary {
  /** `provider:model` */
  judge: string;
  /** Its verdicts, and the arguments of its debates. */
  costUsd: number;
  nUnknownCost: number;
  inDoubtUsd: number;
  verdicts: number;
  invalid: number;
  /** Matches with a valid verdict in both orders. */
  matches: number | null;
  flips: number | null;
  halfFlips: number | null;
  /** Among flips: the first, or the second, named in both orders, with the exact binomial test against ½. */
  positionBias: PositionBias | null;
  /** Where each match was judged in one order. */
  oneOrder: FirstNamed | null;
  /** Asked again in the same order: how often it said otherwise. */
  repeats: { asked: number; otherwise: number } | null;
  /** It flips over 80 % of matches: nothing follows from its verdicts. */
  isUninformative: boolean | null;
}

/** Where a candidate stands, given a hypothesis, and how surely. */
export interface CandidateRank {
  /** From 1; equal ratings share a rank; null without a rating. */
  rank: number | null;
  /** Bradley–Terry rating (mean 1000): what the rank goes by. null without a played match. */
  rating: number | null;
  /** Its 95 % interval, looked at alone; null when there are too few matches or hypotheses to tell. */
  ratingLow: number | null;
  ratingHigh: number | null;
  /** Ranks that cannot be ruled out, all pairs held at once. */
  rankLow: number | null;
  rankHigh: number | null;
  /** Candidates that share a letter are not shown to differ; null without a rating. */
  letters: string | null;
}

export interface CandidateSummary extends CandidateRank {
  label: string;
  provider: string;
  model: string;
  mode: Mode;
  nPlanned: number;
  nHypotheses: number;
  wins: number;
  losses: number;
  ties: number;
  /** The same where a failed, duplicate or over-budget slot loses its scheduled matches. */
  asRun: CandidateRank;
  /** Sequential Elo, in schedule order: the mean over its hypotheses. */
  meanElo: number | null;
  topElo: number | null;
  /** Gold-set entities hit; null without a gold set, before the bench has finished, and without a hypothesis. */
  goldHits: number | null;
  goldHitNames: string[] | null;
  /** Sum of the costs that are known; `nUnknownCost` calls and `inDoubtUsd` (at their bounds) are not in it. */
  costUsd: number;
  nUnknownCost: number;
  inDoubtUsd: number;
  inputTokens: number;
  outputTokens: number;
  /** Slots that gave no hypothesis, by kind. */
  failures: Record<string, number>;
}
