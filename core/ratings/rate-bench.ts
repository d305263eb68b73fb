import { matchesAsRun, type OrderChange, orderChanges } from './as-run';
import { type Attrition, attritionOf, completionRate } from './attrition';
import { fitCandidates } from './candidate-fit';
import { type CandidateRatings, rateCandidates, ratingsOfFit } from './candidate-ratings';
import { type Fragility, fragilityOf } from './fragility';
import type { JudgeAgreement } from './judge-agreement';
import type { JudgeConduct } from './judge-conduct';
import type { FlaggedBench, JudgeFlag } from './judge-flags';
import { areJudgesUninformative, type JudgeOrders } from './judge-orders';
import { type JudgeSensitivity, judgeSensitivity, type TextFeatures } from './judge-sensitivity';
import { type MissingBounds, missingBounds } from './missing-bounds';
import { type PipelineAndRaw, type PipelineMinusRaw, pipelineMinusRaw } from './pipeline-minus-raw';
import type { UnitCosts } from './power';
import type { JudgedMatch, RatedMatch } from './rated-match';
import { type VarianceReport, varianceReport } from './variance-report';
import type { Proportion } from './wilson';

/** Everything a bench's verdicts say about its candidates, and how far it can be believed. Candidates by label. */
export interface BenchRatings {
  format: 1;
  /** The headline: how good a candidate's hypothesis is, given that there is one. */
  given: CandidateRatings;
  /** A failed, duplicate or over-budget slot loses its scheduled matches. */
  asRun: CandidateRatings;
  /** Pairs that the two order differently. */
  orderChanges: OrderChange[];
  completion: { candidate: string; kept: Proportion }[];
  attrition: Attrition[];
  judges: JudgeOrders[];
  agreements: JudgeAgreement[];
  missing: MissingBounds;
  /** null with fewer than two rated candidates. */
  fragility: Fragility | null;
  /** null where no model plays in both modes. */
  pipelineMinusRaw: PipelineMinusRaw | null;
  sensitivity: JudgeSensitivity;
  variances: VarianceReport | null;
  flags: JudgeFlag[];
}

export interface RatedBench {
  seed: number;
  /** Labels in the order of the plan, with what came of their slots. */
  candidates: { label: string; kept: number; planned: number }[];
  /** The whole schedule, candidates by label; unplayed matches too. */
  matches: readonly RatedMatch[];
  /** All that its judges judged: its own matches, and a night's against the texts of another bench. */
  judged: readonly JudgedMatch[];
  /** Of each hypothesis that has played, by id. */
  features: ReadonlyMap<string, TextFeatures>;
  /** Models that play in both modes. */
  models: readonly PipelineAndRaw[];
  /** What another hypothesis and another verdict would cost; null where unknown. */
  unitCosts: UnitCosts | null;
  flagged: FlaggedBench;
}

/**
 * @param conduct of its judges: a bench judges its own matches alone, or a night's, where there is nobody to rate
 * @returns null where no match was played: there is nothing to rate
 */
export function rateBench(bench: RatedBench, conduct: JudgeConduct): BenchRatings | null {
  const { matches, seed, models } = bench;
  if (matches.every(({ scoreA }) => scoreA === null)) return null;
  const labels = bench.candidates.map(({ label }) => label);
  const isJudgeUninformative = areJudgesUninformative(conduct.orders);
  const options = { candidates: labels, seed, isJudgeUninformative };
  const fit = fitCandidates(matches);
  const given = ratingsOfFit(fit, matches, options);
  const asRun = rateCandidates(matchesAsRun(matches), options);
  return {
    format: 1,
    given,
    asRun,
    orderChanges: orderChanges(given.candidates, asRun.candidates),
    completion: bench.candidates.map(({ label, kept, planned }) => ({
      candidate: label,
      kept: completionRate(kept, planned),
    })),
    attrition: attritionOf(matches),
    judges: conduct.orders,
    agreements: conduct.agreements,
    missing: missingBounds(matches),
    fragility: fragilityOf(matches),
    pipelineMinusRaw: models.length > 0 ? pipelineMinusRaw(fit, models, isJudgeUninformative) : null,
    sensitivity: judgeSensitivity(matches, bench.features, models),
    variances: varianceReport(fit, bench.unitCosts),
    flags: conduct.flags,
  };
}
