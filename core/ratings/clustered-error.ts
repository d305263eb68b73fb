import { meanOf } from '../mean';

/**
 * Standard error of a mean whose scores come in clusters: √(Σ_c (Σ_{i∈c} (s_i − s̄))²) / n (Liang and Zeger
 * 1986; no small-sample factor).
 * @param clusters the scores, cluster by cluster
 * @throws RangeError without a score
 */
export function clusteredStandardError(clusters: readonly (readonly number[])[]): number {
  const scores = clusters.flat();
  const mean = meanOf(scores);
  if (mean === null) throw new RangeError('clustered error: no score');
  let squares = 0;
  for (const cluster of clusters) squares += cluster.reduce((sum, score) => sum + score - mean, 0) ** 2;
  return Math.sqrt(squares) / scores.length;
}
