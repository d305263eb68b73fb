import type { BradleyTerryFit } from './bradley-terry';
import { inverseCurvature } from './curvature';
import { sigmoid } from './elo-scale';
import type { ScoredPair } from './scored-pair';

/**
 * Covariance of the strengths from the sandwich H⁻¹·B·H⁻¹, where B sums the squared scores of clusters (Huber
 * 1967, White 1982): right whatever the noise, given many clusters. No small-sample factor. Row-major, over
 * `fit.pairs.items`.
 *
 * @param clusterOf the cluster of a row; default: each row its own
 */
export function sandwichCovariance(
  fit: BradleyTerryFit,
  rows: readonly ScoredPair[],
  clusterOf: (row: number) => string | number = (row) => row,
): Float64Array {
  const size = fit.theta.length;
  const inverse = inverseCurvature(fit);
  const middle = new Float64Array(size * size);
  for (const surplus of clusterScores(fit, rows, clusterOf)) {
    for (const [i, one] of surplus) {
      for (const [j, other] of surplus) middle[i * size + j]! += one * other;
    }
  }
  return product(product(inverse, middle, size), inverse, size);
}

/** For each cluster, each item's points above expectation; only items that the cluster holds. */
function clusterScores(
  fit: BradleyTerryFit,
  rows: readonly ScoredPair[],
  clusterOf: (row: number) => string | number,
): Iterable<Map<number, number>> {
  const numberOf = new Map(fit.pairs.items.map((item, number) => [item, number]));
  const clusters = new Map<string | number, Map<number, number>>();
  rows.forEach(({ left, right, scoreLeft }, row) => {
    const i = numberOf.get(left)!;
    const j = numberOf.get(right)!;
    const residual = scoreLeft - sigmoid(fit.theta[i]! - fit.theta[j]!);
    const key = clusterOf(row);
    const surplus = clusters.get(key) ?? new Map<number, number>();
    surplus.set(i, (surplus.get(i) ?? 0) + residual);
    surplus.set(j, (surplus.get(j) ?? 0) - residual);
    clusters.set(key, surplus);
  });
  return clusters.values();
}

function product(left: Float64Array, right: Float64Array, size: number): Float64Array {
  const out = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    for (let k = 0; k < size; k++) {
      const factor = left[i * size + k]!;
      if (factor === 0) continue;
      for (let j = 0; j < size; j++) out[i * size + j]! += factor * right[k * size + j]!;
    }
  }
  return out;
}
