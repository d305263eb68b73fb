import type { Mode } from './bench-input';
import type { BenchState } from './bench-states';
import type { ScipivotSummary } from './scipivot/summary';

/** What a bench came to: the workflow's result, `--json`, and `summary` in the exported bench file. Money in USD. */
export interface BenchSummary {
  format: 1;
  benchId: string;
  status: BenchState;
  /** True: the models were simulated, and so are all figures. */
  simulated: boolean;
  seed: number;
  /** By rank. */
  candidates: CandidateSummary[];
  judge: {
    costUsd: number;
    verdicts: number;
    invalid: number;
    flips: number;
    halfFlips: number;
    /** Flips over played matches; null when none was played. */
    flipRate: number | null;
  };
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

export interface CandidateSummary {
  /** From 1; equal ratings share a rank; null without a rating. */
  rank: number | null;
  label: string;
  provider: string;
  model: string;
  mode: Mode;
  nPlanned: number;
  nHypotheses: number;
  wins: number;
  losses: number;
  ties: number;
  /** Bradley–Terry rating (mean 1000), given a hypothesis: what the rank goes by. null without a played match. */
  rating: number | null;
  /** Its 95 % interval, looked at alone; null when there are too few matches or hypotheses to tell. */
  ratingLow: number | null;
  ratingHigh: number | null;
  /** Ranks that cannot be ruled out, all pairs held at once. */
  rankLow: number | null;
  rankHigh: number | null;
  /** Candidates that share a letter are not shown to differ; null without a rating. */
  letters: string | null;
  /** Sequential Elo, in schedule order: the mean over its hypotheses. */
  meanElo: number | null;
  topElo: number | null;
  /** Gold-set entities hit; null without a gold set. */
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
