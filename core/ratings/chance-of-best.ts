import { randomFrom } from '../random';
import { type CandidateFit, RUNS_AS_CLUSTERS } from './candidate-fit';
import { choleskyFactor } from './cholesky';
import { commonShift, outcomeVariance } from './curvature';

/**
 * How often each candidate is the strongest among draws from the estimated joint normal of all strengths. Not
 * the chance that it is the best: what the draws say if the normal is right.
 *
 * @param draws how many; the share's own standard error is at most 0.5/√draws
 */
export function chanceOfBest(fit: CandidateFit, draws: number, seed: number): Float64Array {
  const { theta } = fit.bradleyTerry;
  const size = theta.length;
  const { columns, width } = deviationColumns(fit);
  const random = randomFrom(seed, 'chance of best');
  const wins = new Float64Array(size);
  const normals = new Float64Array(width);
  for (let draw = 0; draw < draws; draw++) {
    for (let k = 0; k < width; k++) normals[k] = random.normal();
    let best = 0;
    let highest = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < size; i++) {
      let strength = theta[i]!;
      for (let k = 0; k < width; k++) strength += columns[i * width + k]! * normals[k]!;
      if (strength > highest) [best, highest] = [i, strength];
    }
    wins[best]! += 1;
  }
  return wins.map((count) => count / draws);
}

/** A matrix F with F·Fᵀ the covariance of the strengths (up to a common shift). */
function deviationColumns(fit: CandidateFit): { columns: Float64Array; width: number } {
  const within = carried(fit, withinRuns(fit), fit.bradleyTerry.theta.length);
  if (fit.runSurplus.length < RUNS_AS_CLUSTERS) return within;
  const between = carried(fit, betweenRuns(fit), fit.runSurplus.length);
  return squares(between.columns) > squares(within.columns) ? between : within;
}

/** Cholesky factor of the points' covariance, made definite by what moves all strengths alike. */
function withinRuns(fit: CandidateFit): Float64Array {
  const { theta, pairs } = fit.bradleyTerry;
  const { sums, noise, between } = fit.variances;
  const size = theta.length;
  const shift = commonShift(fit.bradleyTerry);
  const covariance = Float64Array.from({ length: size * size }, (_, cell) => {
    return shift[Math.floor(cell / size)]! * shift[cell % size]!;
  });
  for (let k = 0; k < pairs.low.length; k++) {
    const i = pairs.low[k]!;
    const j = pairs.high[k]!;
    const weight = noise * sums.inverseVerdicts[k]! * outcomeVariance(theta[i]!, theta[j]!);
    covariance[i * size + i]! += weight;
    covariance[j * size + j]! += weight;
    covariance[i * size + j]! -= weight;
    covariance[j * size + i]! -= weight;
  }
  for (let h = 0; h < sums.candidateOf.length; h++) {
    const variance = between[sums.candidateOf[h]!]!;
    for (let i = 0; i < size; i++) {
      const pull = variance * sums.pull[h * size + i]!;
      for (let j = 0; j < size; j++) covariance[i * size + j]! += pull * sums.pull[h * size + j]!;
    }
  }
  return choleskyFactor(covariance, size);
}

function betweenRuns(fit: CandidateFit): Float64Array {
  const runs = fit.runSurplus.length;
  const size = fit.bradleyTerry.theta.length;
  const columns = new Float64Array(size * runs);
  fit.runSurplus.forEach((surplus, run) => {
    for (let i = 0; i < size; i++) columns[i * runs + run] = surplus[i]! * Math.sqrt(runs / (runs - 1));
  });
  return columns;
}

/** From points to strengths: the inverse curvature times the columns, each column then centred. */
function carried(
  fit: CandidateFit,
  points: Float64Array,
  width: number,
): { columns: Float64Array; width: number } {
  const size = fit.bradleyTerry.theta.length;
  const columns = new Float64Array(size * width);
  for (let k = 0; k < width; k++) {
    let sum = 0;
    for (let i = 0; i < size; i++) {
      let moved = 0;
      for (let j = 0; j < size; j++) moved += fit.inverse[i * size + j]! * points[j * width + k]!;
      columns[i * width + k] = moved;
      sum += moved;
    }
    for (let i = 0; i < size; i++) columns[i * width + k]! -= sum / size;
  }
  return { columns, width };
}

function squares(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value ** 2;
  return sum;
}
