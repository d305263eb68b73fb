import type { BradleyTerryFit } from './bradley-terry';
import { choleskyFactor, invertCholesky } from './cholesky';
import { sigmoid } from './elo-scale';

/**
 * The inverse of the curvature at a fit, its prior's included, item by item, row-major. Without a prior the direction in
 * which all strengths move together, which data cannot see, is pinned by adding 1/size everywhere; every contrast
 * (weights that sum to zero) comes out as by the pseudo-inverse.
 */
export function inverseCurvature(fit: BradleyTerryFit): Float64Array {
  const { pairs, theta, prior } = fit;
  const size = theta.length;
  const matrix = new Float64Array(size * size).fill(prior === null ? 1 / size : 0);
  for (let k = 0; k < pairs.games.length; k++) {
    const i = pairs.low[k]!;
    const j = pairs.high[k]!;
    const weight = pairs.games[k]! * outcomeVariance(theta[i]!, theta[j]!);
    matrix[i * size + i]! += weight;
    matrix[j * size + j]! += weight;
    matrix[i * size + j]! -= weight;
    matrix[j * size + i]! -= weight;
  }
  if (prior !== null)
    commonShift(fit).forEach((pin, i) => {
      matrix[i * size + i]! += pin;
    });
  return invertCholesky(choleskyFactor(matrix, size), size);
}

/** The points that move all strengths by one alike: the sums of the (pinned) curvature's rows. */
export function commonShift({ theta, prior, priorStrength }: BradleyTerryFit): Float64Array {
  return theta.map((strength) =>
    prior === null ? 1 : prior.weight * outcomeVariance(strength, priorStrength),
  );
}

/** p(1 − p), the variance of one decisive verdict between two strengths. */
export function outcomeVariance(first: number, second: number): number {
  return sigmoid(first - second) * sigmoid(second - first);
}
