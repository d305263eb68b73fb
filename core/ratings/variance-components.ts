import type { BradleyTerryFit } from './bradley-terry';
import type { MatchDesign } from './match-design';
import { type ResidualSums, residualSums } from './residual-sums';

/**
 * Where the uncertainty of candidates' strengths comes from: the noise of verdicts, and the differences between
 * the hypotheses of one candidate. A match's residual is taken as
 *
 *   e = w·(α_a − α_b) + ε,   var α = `between` of the candidate,   var ε = `noise`·w / verdicts,
 *
 * with w = p(1 − p) at the fit. Noise 1 is that of independent verdicts without ties. Both are estimated by the
 * method of moments from squared residual sums, whose expectations are exact for the fitted residuals
 * (residual-sums.ts), and then moderated: drawn towards a stated prior as if that had been seen with a few
 * degrees of freedom, so that a lucky pair of equal scores is no certainty (G. Smyth 2004, of variances in
 * small groups). Why these numbers: docs/decisions/0011, and the measured coverage in docs/calibration.md.
 */
export interface VarianceComponents {
  noise: number;
  noiseDegrees: number;
  /** Variance of hypotheses around their candidate in logits², a candidate. */
  between: Float64Array;
  /** As if all candidates had the same. */
  betweenPooled: number;
  /** How well each candidate's own is known. */
  betweenDegrees: Float64Array;
  pooledDegrees: number;
  sums: ResidualSums;
}

export interface VariancePrior {
  noise: number;
  noiseDegrees: number;
  /** Standard deviation between a candidate's hypotheses, in logits. */
  spread: number;
  spreadDegrees: number;
  /** Degrees with which a candidate's own variance is drawn to that of all candidates. */
  candidateDegrees: number;
  /** No spread is thought smaller than this when it is asked how well spreads are known. */
  leastSpread: number;
}

export const DEFAULT_VARIANCE_PRIOR: VariancePrior = {
  noise: 0.8,
  noiseDegrees: 4,
  spread: 1,
  spreadDegrees: 1,
  candidateDegrees: 1.5,
  leastSpread: 0.4,
};

export function estimateVariances(
  design: MatchDesign,
  fit: BradleyTerryFit,
  inverse: Float64Array,
  prior: VariancePrior = DEFAULT_VARIANCE_PRIOR,
): VarianceComponents {
  const sums = residualSums(design, fit, inverse);
  const pooled = pooledBetween(design, sums, prior);
  const matchDegrees = Math.max(0, design.matches.length - design.candidates.length + 1);
  const rest =
    matchDegrees > 0
      ? (sums.squares - pooled.between * total(sums.squaresOfBetween)) / sums.squaresOfNoise
      : 0;
  const noiseDegrees = prior.noiseDegrees + matchDegrees;
  const noise = (prior.noiseDegrees * prior.noise + matchDegrees * Math.max(0, rest)) / noiseDegrees;
  const own = ownBetween(design, sums, { ...pooled, noise }, prior);
  return {
    noise,
    noiseDegrees,
    between: own.between,
    betweenPooled: pooled.between,
    betweenDegrees: own.degrees,
    pooledDegrees: pooled.degrees,
    sums,
  };
}

/** One variance for all candidates, and the degrees of freedom it is known with. */
function pooledBetween(
  design: MatchDesign,
  sums: ResidualSums,
  prior: VariancePrior,
): { between: number; degrees: number } {
  const expected = prior.spread ** 2;
  const alone = { between: expected, degrees: prior.spreadDegrees };
  const matchDegrees = design.matches.length - design.candidates.length + 1;
  if (matchDegrees <= 0 || sums.squaresOfNoise <= 0) return alone;
  const noiseShare = total(sums.clustersOfNoise) / sums.squaresOfNoise;
  // What the hypotheses' sums say once the matches' squares have fixed the total.
  const leverage = total(sums.clustersOfBetween) - noiseShare * total(sums.squaresOfBetween);
  const spareHypotheses = design.hypotheses.length - design.candidates.length;
  const least = Math.max(ROUNDING, 1e-9 * total(sums.clustersOfBetween));
  if (spareHypotheses === 0 || leverage <= least) return alone;
  const seen = (total(sums.clusters) - noiseShare * sums.squares) / leverage;
  const likely = Math.max(expected, seen);
  const noiseTotal = noiseShare * Math.max(sums.squares, LEAST_NOISE * sums.squaresOfNoise);
  const signal = (leverage * likely) / (noiseTotal + leverage * likely);
  const seenDegrees = spareHypotheses * signal ** 2;
  const degrees = seenDegrees + prior.spreadDegrees;
  return {
    between: Math.max(0, (seenDegrees * seen + prior.spreadDegrees * expected) / degrees),
    degrees,
  };
}

/** Weights are of the order of 1: a leverage below this is what rounding left of none. */
const ROUNDING = 1e-12;

/** A judge that never disagrees still leaves this much of the noise of independent verdicts. */
const LEAST_NOISE = 0.2;

/** Each candidate's own variance, drawn to the pooled one by how little its few hypotheses say. */
function ownBetween(
  design: MatchDesign,
  sums: ResidualSums,
  pooled: { between: number; noise: number },
  prior: VariancePrior,
): { between: Float64Array; degrees: Float64Array } {
  const size = design.candidates.length;
  const between = new Float64Array(size);
  const degrees = new Float64Array(size);
  const likely = Math.max(pooled.between, prior.leastSpread ** 2);
  for (let c = 0; c < size; c++) {
    let expected = pooled.noise * sums.clustersOfNoise[c]!;
    for (let d = 0; d < size; d++) expected += pooled.between * sums.clustersOfBetween[c * size + d]!;
    const leverage = sums.clustersOfBetween[c * size + c]!;
    const isTold = leverage > ROUNDING && expected > 0;
    const signal = isTold ? Math.min(1, (leverage * likely) / expected) : 0;
    const seenDegrees = (design.hypothesisCount[c]! - 1) * signal ** 2;
    const weight = seenDegrees / (seenDegrees + prior.candidateDegrees);
    const surplus = weight > 0 ? (sums.clusters[c]! - expected) / leverage : 0;
    between[c] = Math.max(0, pooled.between + weight * surplus);
    degrees[c] = seenDegrees + prior.candidateDegrees;
  }
  return { between, degrees };
}

/** A contrast's variance and the degrees of freedom it is known with (Satterthwaite 1946). */
export interface ContrastVariance {
  variance: number;
  degrees: number;
  /** The part of it that comes from the verdicts; the rest is differences between hypotheses. */
  ofNoise: number;
}

/**
 * @param influence what a point scored by each candidate adds to the contrast: the inverse curvature times the
 *   contrast's weights
 */
export function contrastVariance(
  fit: BradleyTerryFit,
  components: VarianceComponents,
  influence: Float64Array,
  prior: VariancePrior = DEFAULT_VARIANCE_PRIOR,
): ContrastVariance {
  const { sums, noise } = components;
  const size = influence.length;
  const ofNoise = noise * noiseOf(fit, sums, influence);
  const reach = squaredReach(sums, influence);
  let variance = ofNoise;
  let common = 0;
  let uncertainty = ofNoise ** 2 / components.noiseDegrees;
  const likely = Math.max(components.betweenPooled, prior.leastSpread ** 2);
  for (let c = 0; c < size; c++) {
    variance += components.between[c]! * reach[c]!;
    // More variance between hypotheses is less noise: the matches' squares fix their sum.
    const traded =
      sums.squaresOfNoise > 0 ? (ofNoise / noise) * (sums.squaresOfBetween[c]! / sums.squaresOfNoise) : 0;
    const part = Math.max(components.between[c]!, likely) * Math.max(0, reach[c]! - traded);
    common += part;
    uncertainty += part ** 2 / components.betweenDegrees[c]!;
  }
  uncertainty += common ** 2 / components.pooledDegrees;
  return { variance, degrees: Math.max(1, variance ** 2 / uncertainty), ofNoise };
}

/** Variance of the contrast from verdicts alone, at noise 1. */
function noiseOf(fit: BradleyTerryFit, sums: ResidualSums, influence: Float64Array): number {
  const { low, high } = fit.pairs;
  let sum = 0;
  for (let k = 0; k < low.length; k++) {
    sum += sums.verdictNoise[k]! * (influence[low[k]!]! - influence[high[k]!]!) ** 2;
  }
  return sum;
}

/** Σ over a candidate's hypotheses of (what one logit of that hypothesis moves the contrast by)². */
function squaredReach(sums: ResidualSums, influence: Float64Array): Float64Array {
  const size = influence.length;
  const reach = new Float64Array(size);
  for (let h = 0; h < sums.candidateOf.length; h++) {
    let move = 0;
    for (let i = 0; i < size; i++) move += influence[i]! * sums.pull[h * size + i]!;
    reach[sums.candidateOf[h]!]! += move ** 2;
  }
  return reach;
}

function total(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}
