import type { BradleyTerryFit } from './bradley-terry';
import { outcomeVariance } from './curvature';
import { sigmoid } from './elo-scale';
import type { MatchDesign } from './match-design';

/**
 * Squares of a fit's residuals, over matches and over each hypothesis's matches, with what they are expected to
 * be: for each square, its coefficient on the noise and on each candidate's variance between hypotheses. The fit
 * takes part of every error away; the coefficients account for it exactly (to first order of the fit, and without a prior:
 * its pull on what noise is expected to leave is left out, 1 % of an interval's width or so).
 */
export interface ResidualSums {
  candidateOf: Int32Array;
  /** Σ over matches of residual². */
  squares: number;
  squaresOfNoise: number;
  /** Coefficient a candidate. */
  squaresOfBetween: Float64Array;
  /** Σ over a candidate's hypotheses of (the sum of its residuals, from its side)², a candidate. */
  clusters: Float64Array;
  clustersOfNoise: Float64Array;
  /** Row: whose sum; column: whose variance. */
  clustersOfBetween: Float64Array;
  /** Σ of w over a hypothesis's matches, + in its own candidate's column and − in each opponent's. */
  pull: Float64Array;
  /** Σ of 1/verdicts over the matches of a pair of candidates, as the fit numbers pairs. */
  inverseVerdicts: Float64Array;
  /** The same times the variance of one decisive verdict between the two. */
  verdictNoise: Float64Array;
}

/** @param inverse the inverse curvature at the fit */
export function residualSums(design: MatchDesign, fit: BradleyTerryFit, inverse: Float64Array): ResidualSums {
  const table = sumTable(design, fit);
  const size = design.candidates.length;
  const perPair = inverseVerdicts(design, fit);
  // The fit's answer to one logit more of a hypothesis.
  const answer = times(table.pull, inverse, design.hypotheses.length, size);
  return {
    candidateOf: design.candidateOf,
    squares: table.squares,
    squaresOfNoise: noiseInSquares(design, table, inverse),
    squaresOfBetween: betweenInSquares(design, fit, table, answer),
    clusters: table.clusters,
    ...expectedClusters(design, table, answer),
    pull: table.pull,
    inverseVerdicts: perPair,
    verdictNoise: perPair.map(
      (sum, k) => sum * outcomeVariance(fit.theta[fit.pairs.low[k]!]!, fit.theta[fit.pairs.high[k]!]!),
    ),
  };
}

interface SumTable {
  squares: number;
  clusters: Float64Array;
  pull: Float64Array;
  /** w of each match. */
  weights: Float64Array;
  /** Σ of ±w over the matches of two hypotheses: + with itself, − with an opponent. */
  shared: Float64Array;
  /** Σ of w/verdicts over a hypothesis's matches. */
  noisePull: Float64Array;
}

function sumTable(design: MatchDesign, fit: BradleyTerryFit): SumTable {
  const size = design.candidates.length;
  const count = design.hypotheses.length;
  const weights = new Float64Array(design.matches.length);
  const surplus = new Float64Array(count);
  const pull = new Float64Array(count * size);
  const shared = new Float64Array(count * count);
  const noisePull = new Float64Array(count * size);
  let squares = 0;
  design.matches.forEach(({ a, b, hypA, hypB, scoreA, verdicts }, k) => {
    const weight = outcomeVariance(fit.theta[a]!, fit.theta[b]!);
    const residual = scoreA - sigmoid(fit.theta[a]! - fit.theta[b]!);
    weights[k] = weight;
    squares += residual ** 2;
    surplus[hypA]! += residual;
    surplus[hypB]! -= residual;
    for (const [own, hyp, opponent, other] of [
      [a, hypA, b, hypB],
      [b, hypB, a, hypA],
    ] as const) {
      pull[hyp * size + own]! += weight;
      pull[hyp * size + opponent]! -= weight;
      shared[hyp * count + hyp]! += weight;
      shared[hyp * count + other]! -= weight;
      noisePull[hyp * size + own]! += weight / verdicts;
      noisePull[hyp * size + opponent]! -= weight / verdicts;
    }
  });
  const clusters = new Float64Array(size);
  for (let h = 0; h < count; h++) clusters[design.candidateOf[h]!]! += surplus[h]! ** 2;
  return { squares, clusters, pull, weights, shared, noisePull };
}

function noiseInSquares(design: MatchDesign, table: SumTable, inverse: Float64Array): number {
  const size = design.candidates.length;
  let sum = 0;
  design.matches.forEach(({ a, b, verdicts }, k) => {
    const weight = table.weights[k]!;
    const leverage = inverse[a * size + a]! + inverse[b * size + b]! - 2 * inverse[a * size + b]!;
    sum += (weight - weight ** 2 * leverage) / verdicts;
  });
  return sum;
}

function betweenInSquares(
  design: MatchDesign,
  fit: BradleyTerryFit,
  table: SumTable,
  answer: Float64Array,
): Float64Array {
  const size = design.candidates.length;
  const sums = new Float64Array(size);
  const { low, high, games } = fit.pairs;
  const squaredWeights = Array.from(games, (count, k) => {
    return count * outcomeVariance(fit.theta[low[k]!]!, fit.theta[high[k]!]!) ** 2;
  });
  for (let h = 0; h < design.hypotheses.length; h++) {
    let absorbed = 0;
    for (let k = 0; k < games.length; k++) {
      absorbed += squaredWeights[k]! * (answer[h * size + low[k]!]! - answer[h * size + high[k]!]!) ** 2;
    }
    sums[design.candidateOf[h]!]! += absorbed;
  }
  design.matches.forEach(({ a, b, hypA, hypB }, k) => {
    const square = table.weights[k]! ** 2;
    sums[a]! += square * (1 - 2 * (answer[hypA * size + a]! - answer[hypA * size + b]!));
    sums[b]! += square * (1 - 2 * (answer[hypB * size + b]! - answer[hypB * size + a]!));
  });
  return sums;
}

function expectedClusters(
  design: MatchDesign,
  table: SumTable,
  answer: Float64Array,
): Pick<ResidualSums, 'clustersOfNoise' | 'clustersOfBetween'> {
  const size = design.candidates.length;
  const count = design.hypotheses.length;
  const clustersOfNoise = new Float64Array(size);
  const clustersOfBetween = new Float64Array(size * size);
  for (let h = 0; h < count; h++) {
    const own = design.candidateOf[h]!;
    let noise = table.noisePull[h * size + own]!;
    for (let i = 0; i < size; i++) noise -= table.noisePull[h * size + i]! * answer[h * size + i]!;
    clustersOfNoise[own]! += noise;
    for (let g = 0; g < count; g++) {
      let moved = table.shared[h * count + g]!;
      for (let i = 0; i < size; i++) moved -= table.pull[h * size + i]! * answer[g * size + i]!;
      clustersOfBetween[own * size + design.candidateOf[g]!]! += moved ** 2;
    }
  }
  return { clustersOfNoise, clustersOfBetween };
}

function inverseVerdicts(design: MatchDesign, fit: BradleyTerryFit): Float64Array {
  const size = design.candidates.length;
  const pairAt = new Map<number, number>();
  for (let k = 0; k < fit.pairs.low.length; k++) pairAt.set(fit.pairs.low[k]! * size + fit.pairs.high[k]!, k);
  const sums = new Float64Array(fit.pairs.low.length);
  for (const { a, b, verdicts } of design.matches) {
    sums[pairAt.get(Math.min(a, b) * size + Math.max(a, b))!]! += 1 / verdicts;
  }
  return sums;
}

/** rows × size times size × size. */
function times(rows: Float64Array, square: Float64Array, count: number, size: number): Float64Array {
  const product = new Float64Array(count * size);
  for (let h = 0; h < count; h++) {
    for (let j = 0; j < size; j++) {
      let sum = 0;
      for (let i = 0; i < size; i++) sum += rows[h * size + i]! * square[i * size + j]!;
      product[h * size + j] = sum;
    }
  }
  return product;
}
