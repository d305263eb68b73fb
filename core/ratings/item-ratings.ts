import { type BradleyTerryFit, fitBradleyTerry, type VirtualTies } from './bradley-terry';
import { inverseCurvature, outcomeVariance } from './curvature';
import { eloFromLogit, sigmoid } from './elo-scale';
import { CONFIDENCE } from './interval';
import { countPairs } from './pair-counts';
import { rankIntervals } from './rank-intervals';
import type { RowRating, VerdictRow } from './rate-rows';
import { sandwichCovariance } from './sandwich';
import type { ScoredPair } from './scored-pair';
import { countIslands } from './strong-components';
import { studentFactor } from './student-t';
import { studentizedRangeQuantile } from './studentized-range';

/** Items rated as the very texts they are: the intervals carry verdict noise, by cluster, and nothing else. */
export interface ItemRatings {
  isConnected: boolean;
  prior: VirtualTies | null;
  ratings: RowRating[];
}

/** Fewer clusters than this on an item say nothing of its interval. */
const LEAST_CLUSTERS = 5;

export function rateItems(rows: readonly VerdictRow[]): ItemRatings {
  const pairs = rows.map(
    ({ left, right, winner }): ScoredPair => ({
      left,
      right,
      scoreLeft: winner === 'tie' ? 0.5 : winner === 'left' ? 1 : 0,
    }),
  );
  const fit = fitBradleyTerry(countPairs(pairs));
  const { items } = fit.pairs;
  const uncertainty = uncertaintyOf(fit, rows, pairs);
  const isComparable = countIslands(fit.pairs) === 1;
  const hasInterval = clustersByItem(rows, items).map((count) => isComparable && count >= LEAST_CLUSTERS);
  const order = items.map((_, i) => i).sort((i, j) => fit.theta[j]! - fit.theta[i]! || i - j);
  const size = items.length;
  const range = size > 1 ? studentizedRangeQuantile(CONFIDENCE, size, uncertainty.degrees) / Math.SQRT2 : 0;
  const ranks = rankIntervals(size, (first, second) => {
    const [i, j] = [order[first]!, order[second]!];
    if (!hasInterval[i] || !hasInterval[j]) return false;
    return fit.theta[i]! - fit.theta[j]! > range * uncertainty.ofDifference(i, j);
  });
  const factor = studentFactor(CONFIDENCE, uncertainty.degrees);
  return {
    isConnected: fit.isConnected,
    prior: fit.prior,
    ratings: order.map((item, place) => {
      const rating = 1000 + eloFromLogit(fit.theta[item]!);
      const reach = eloFromLogit(factor * uncertainty.ofStrength(item));
      const isShown = hasInterval[item]!;
      return {
        item: items[item]!,
        rating,
        low: isShown ? rating - reach : null,
        high: isShown ? rating + reach : null,
        rankLow: isShown ? ranks[place]!.rankLow : null,
        rankHigh: isShown ? ranks[place]!.rankHigh : null,
      };
    }),
  };
}

interface Uncertainty {
  degrees: number;
  ofStrength: (item: number) => number;
  ofDifference: (i: number, j: number) => number;
}

/**
 * The curvature times the spread of clusters over what independent verdicts would have (quasi-likelihood,
 * Wedderburn 1974), drawn to 1 by four degrees of freedom. Where clusters hold several pairs, the sandwich over
 * clusters if that is larger.
 */
function uncertaintyOf(
  fit: BradleyTerryFit,
  rows: readonly VerdictRow[],
  pairs: readonly ScoredPair[],
): Uncertainty {
  const size = fit.theta.length;
  const inverse = inverseCurvature(fit);
  const { dispersion, clusters, holdSeveralPairs } = dispersionOf(fit, rows, pairs, inverse);
  const degrees = Math.max(0, clusters - size + 1);
  const scale = (PRIOR_DEGREES + degrees * dispersion) / (PRIOR_DEGREES + degrees);
  const robust = holdSeveralPairs ? sandwichCovariance(fit, pairs, clusterOf(rows)) : null;
  const small = degrees > 0 ? clusters / degrees : 1;
  const at = (i: number, j: number) => ({
    model: scale * inverse[i * size + j]!,
    robust: robust === null ? 0 : small * robust[i * size + j]!,
  });
  const larger = (model: number, sandwich: number) => Math.sqrt(Math.max(model, sandwich));
  return {
    degrees: PRIOR_DEGREES + degrees,
    // The inverse holds 1/size everywhere from the pinned shift; a strength is relative to the mean of all.
    ofStrength: (i) => larger(at(i, i).model - scale / size, at(i, i).robust),
    ofDifference: (i, j) => {
      const [one, other, both] = [at(i, i), at(j, j), at(i, j)];
      return larger(one.model + other.model - 2 * both.model, one.robust + other.robust - 2 * both.robust);
    },
  };
}

const PRIOR_DEGREES = 4;

interface Dispersion {
  dispersion: number;
  clusters: number;
  holdSeveralPairs: boolean;
}

function dispersionOf(
  fit: BradleyTerryFit,
  rows: readonly VerdictRow[],
  pairs: readonly ScoredPair[],
  inverse: Float64Array,
): Dispersion {
  const size = fit.theta.length;
  const numberOf = new Map(fit.pairs.items.map((item, number) => [item, number]));
  const cluster = clusterOf(rows);
  const surplus = new Map<string, number>();
  const pairOf = new Map<string | number, string>();
  let holdSeveralPairs = false;
  let expected = 0;
  pairs.forEach(({ left, right, scoreLeft }, row) => {
    const i = numberOf.get(left)!;
    const j = numberOf.get(right)!;
    const [low, high] = i < j ? [i, j] : [j, i];
    const residual = scoreLeft - sigmoid(fit.theta[i]! - fit.theta[j]!);
    const pair = `${low}/${high}`;
    const key = `${pair} ${cluster(row)}`;
    surplus.set(key, (surplus.get(key) ?? 0) + (i < j ? residual : -residual));
    if ((pairOf.get(cluster(row)) ?? pair) !== pair) holdSeveralPairs = true;
    pairOf.set(cluster(row), pair);
    const weight = outcomeVariance(fit.theta[i]!, fit.theta[j]!);
    const leverage = inverse[i * size + i]! + inverse[j * size + j]! - 2 * inverse[i * size + j]!;
    expected += weight * Math.max(0, 1 - weight * leverage);
  });
  let squares = 0;
  for (const sum of surplus.values()) squares += sum ** 2;
  return { dispersion: expected > 0 ? squares / expected : 1, clusters: surplus.size, holdSeveralPairs };
}

function clusterOf(rows: readonly VerdictRow[]): (row: number) => string {
  return (row) => {
    const name = rows[row]!.cluster;
    return name === undefined ? `row ${row}` : `cluster ${name}`;
  };
}

function clustersByItem(rows: readonly VerdictRow[], items: readonly string[]): number[] {
  const clusters = new Map(items.map((item) => [item, new Set<string>()]));
  const name = clusterOf(rows);
  rows.forEach(({ left, right }, row) => {
    clusters.get(left)!.add(name(row));
    clusters.get(right)!.add(name(row));
  });
  return items.map((item) => clusters.get(item)!.size);
}
