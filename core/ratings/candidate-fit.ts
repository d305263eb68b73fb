import { type BradleyTerryFit, type BradleyTerryOptions, fitBradleyTerry } from './bradley-terry';
import { inverseCurvature } from './curvature';
import { sigmoid } from './elo-scale';
import { type MatchDesign, matchDesign } from './match-design';
import type { RatedMatch } from './rated-match';
import { contrastVariance, estimateVariances, type VarianceComponents } from './variance-components';

/**
 * Strengths of candidates, each that of a typical hypothesis of its. The estimand: the chance that a fresh
 * hypothesis of A is judged better than a fresh one of B (a tie counts half), on a logit scale; the estimate is
 * Bradley–Terry on match scores, candidate against candidate, and its variance carries both verdict noise and
 * the differences between hypotheses.
 */
export interface CandidateFit {
  design: MatchDesign;
  bradleyTerry: BradleyTerryFit;
  inverse: Float64Array;
  variances: VarianceComponents;
  /** For each run, each candidate's points above expectation. */
  runSurplus: readonly Float64Array[];
}

/**
 * Bradley–Terry over a bench's played matches, with what the uncertainty of its strengths (in logits) is made of.
 * @throws RangeError when a hypothesis stands under two candidates, or a candidate plays itself
 */
export function fitCandidates(
  matches: readonly RatedMatch[],
  options: BradleyTerryOptions = {},
): CandidateFit {
  const design = matchDesign(matches);
  const bradleyTerry = fitBradleyTerry(design.pairs, options);
  const inverse = inverseCurvature(bradleyTerry);
  return {
    design,
    bradleyTerry,
    inverse,
    variances: estimateVariances(design, bradleyTerry, inverse),
    runSurplus: runSurplus(design, bradleyTerry),
  };
}

/** From this many replicates on, the run is the outer cluster. */
export const RUNS_AS_CLUSTERS = 5;

/** Two to four replicates: drift between runs is not in the intervals. */
export function isDriftLeftOut({ design: { runs } }: CandidateFit): boolean {
  return runs.length > 1 && runs.length < RUNS_AS_CLUSTERS;
}

/** A weighted sum of strengths whose weights sum to zero, in logits. */
export interface Contrast {
  estimate: number;
  standardError: number;
  /** Degrees of freedom of the standard error. */
  degrees: number;
  /** What the standard error comes from: differences within runs, or between them (five replicates or more). */
  from: 'hypotheses' | 'runs';
  /** Share of the variance within runs that verdict noise makes up, 0 to 1. */
  noiseShare: number;
}

/** @param weights one a candidate of `fit.design.candidates`, summing to zero */
export function contrastOf(fit: CandidateFit, weights: ArrayLike<number>): Contrast {
  const { theta } = fit.bradleyTerry;
  const size = theta.length;
  const influence = new Float64Array(size);
  let estimate = 0;
  for (let j = 0; j < size; j++) {
    const weight = weights[j]!;
    if (weight === 0) continue; // of a difference, all but two
    estimate += weight * theta[j]!;
    for (let i = 0; i < size; i++) influence[i]! += fit.inverse[i * size + j]! * weight;
  }
  const within = contrastVariance(fit.bradleyTerry, fit.variances, influence);
  const noiseShare = within.variance > 0 ? within.ofNoise / within.variance : 0;
  const between = runVariance(fit, influence);
  // Drift between runs may only add: a lucky agreement of few runs must not narrow what hypotheses show.
  return between !== null && between > within.variance
    ? {
        estimate,
        standardError: Math.sqrt(between),
        degrees: fit.runSurplus.length - 1,
        from: 'runs',
        noiseShare,
      }
    : {
        estimate,
        standardError: Math.sqrt(within.variance),
        degrees: within.degrees,
        from: 'hypotheses',
        noiseShare,
      };
}

/** Weights of A − B. */
export function differenceWeights(size: number, a: number, b: number): Float64Array {
  const weights = new Float64Array(size);
  weights[a] = 1;
  weights[b] = -1;
  return weights;
}

/** Weights of A − the mean of all. */
export function strengthWeights(size: number, a: number): Float64Array {
  const weights = new Float64Array(size).fill(-1 / size);
  weights[a]! += 1;
  return weights;
}

/** The contrast's variance with runs as clusters, R/(R − 1)·Σ of squares; null below five runs. */
function runVariance(fit: CandidateFit, influence: Float64Array): number | null {
  const runs = fit.runSurplus.length;
  if (runs < RUNS_AS_CLUSTERS) return null;
  let squares = 0;
  for (const surplus of fit.runSurplus) {
    let moved = 0;
    for (let i = 0; i < influence.length; i++) moved += influence[i]! * surplus[i]!;
    squares += moved ** 2;
  }
  return (squares * runs) / (runs - 1);
}

function runSurplus(design: MatchDesign, fit: BradleyTerryFit): Float64Array[] {
  const surplus = design.runs.map(() => new Float64Array(design.candidates.length));
  for (const { a, b, scoreA, run } of design.matches) {
    const residual = scoreA - sigmoid(fit.theta[a]! - fit.theta[b]!);
    surplus[run]![a]! += residual;
    surplus[run]![b]! -= residual;
  }
  return surplus;
}
