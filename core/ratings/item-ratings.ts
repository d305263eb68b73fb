import { meanOf } from '../mean';
import { type BradleyTerryFit, byStrength, fitBradleyTerry, type VirtualTies } from './bradley-terry';
import { inverseCurvature, outcomeVariance } from './curvature';
import { eloFromLogit, ratingFromLogit, sigmoid } from './elo-scale';
import { CONFIDENCE } from './interval';
import { countPairs } from './pair-counts';
import { rankIntervals } from './rank-intervals';
import type { RowRating, VerdictRow } from './rate-rows';
import { clusterOfRow } from './row-problems';
import { sandwichCovariance } from './sandwich';
import type { ScoredPair } from './scored-pair';
import { countIslands } from './strong-components';
import { studentFactor } from './student-t';
import { studentizedRangeQuantile } from './studentized-range';

/** Items rated as the very texts they are: the intervals carry verdict noise, by cluster, and nothing else. */
export interface ItemRatings {
  isConnected: boolean;
  /** More items than intervals are made for: their table of variances has the square of their number. */
  isTooManyForIntervals: boolean;
  prior: VirtualTies | null;
  ratings: RowRating[];
}

/** Fewer clusters than this on an item say nothing of its interval. */
const LEAST_CLUSTERS = 5;
/** Of more items the inverse alone would take minutes. */
const MOST_ITEMS = 2000;

/**
 * Bradley–Terry over verdicts on items: ratings (mean 1000) with 95 % intervals that take verdicts of one cluster as one.
 * Intervals and ranks are null where an item stands in too few clusters, or there are too many items.
 */
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
  if (items.length > MOST_ITEMS) return withoutIntervals(fit);
  const uncertainty = uncertaintyOf(fit, rows, pairs);
  const isComparable = countIslands(fit.pairs) === 1;
  const hasInterval = clustersByItem(rows, items).map((count) => isComparable && count >= LEAST_CLUSTERS);
  const order = byStrength(fit);
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
    isTooManyForIntervals: false,
    ratings: order.map((item, place) => {
      const rating = ratingOf(fit, item);
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

function withoutIntervals(fit: BradleyTerryFit): ItemRatings {
  const unknown = { low: null, high: null, rankLow: null, rankHigh: null };
  return {
    isConnected: fit.isConnected,
    prior: fit.prior,
    isTooManyForIntervals: true,
    ratings: byStrength(fit).map((item) => ({
      item: fit.pairs.items[item]!,
      rating: ratingOf(fit, item),
      ...unknown,
    })),
  };
}

function ratingOf({ theta }: BradleyTerryFit, item: number): number {
  return ratingFromLogit(theta[item]!);
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
  const ofModel = varianceAroundMean(inverse, size);
  const ofRobust = robust === null ? () => 0 : varianceAroundMean(robust, size);
  return {
    degrees: PRIOR_DEGREES + degrees,
    ofStrength: (i) => larger(scale * ofModel(i), small * ofRobust(i)),
    ofDifference: (i, j) => {
      const [one, other, both] = [at(i, i), at(j, j), at(i, j)];
      return larger(one.model + other.model - 2 * both.model, one.robust + other.robust - 2 * both.robust);
    },
  };
}

const PRIOR_DEGREES = 4;

/** Of a strength relative to the mean of all, from the table of all strengths. */
function varianceAroundMean(table: Float64Array, size: number): (i: number) => number {
  const rows = Array.from({ length: size }, (_, i) => meanOf(table.subarray(i * size, (i + 1) * size))!);
  const all = meanOf(rows)!;
  return (i) => table[i * size + i]! - 2 * rows[i]! + all;
}

interface Dispersion {
  dispersion: number;
  clusters: number;
  holdSeveralPairs: boolean;
}

/** Squares of the clusters' residuals over what they would be were verdicts independent, the fit's part taken off. */
function dispersionOf(
  fit: BradleyTerryFit,
  rows: readonly VerdictRow[],
  pairs: readonly ScoredPair[],
  inverse: Float64Array,
): Dispersion {
  const size = fit.theta.length;
  const numberOf = new Map(fit.pairs.items.map((item, number) => [item, number]));
  const sums = new Map<string, { i: number; j: number; surplus: number; rows: number }>();
  const pairOf = new Map<string, string>();
  let holdSeveralPairs = false;
  pairs.forEach(({ left, right, scoreLeft }, row) => {
    const [one, other] = [numberOf.get(left)!, numberOf.get(right)!];
    const [i, j] = one < other ? [one, other] : [other, one];
    const residual = scoreLeft - sigmoid(fit.theta[one]! - fit.theta[other]!);
    const pair = `${i}/${j}`;
    const cluster = clusterOfRow(rows[row]!, row);
    const key = `${pair} ${cluster}`;
    const sum = sums.get(key) ?? { i, j, surplus: 0, rows: 0 };
    sum.surplus += one === i ? residual : -residual;
    sum.rows += 1;
    sums.set(key, sum);
    if ((pairOf.get(cluster) ?? pair) !== pair) holdSeveralPairs = true;
    pairOf.set(cluster, pair);
  });
  let squares = 0;
  let expected = 0;
  for (const { i, j, surplus, rows: count } of sums.values()) {
    const variance = count * outcomeVariance(fit.theta[i]!, fit.theta[j]!);
    const leverage = inverse[i * size + i]! + inverse[j * size + j]! - 2 * inverse[i * size + j]!;
    squares += surplus ** 2;
    expected += variance * Math.max(0, 1 - variance * leverage);
  }
  return { dispersion: expected > 0 ? squares / expected : 1, clusters: sums.size, holdSeveralPairs };
}

function clusterOf(rows: readonly VerdictRow[]): (row: number) => string {
  return (row) => clusterOfRow(rows[row]!, row);
}

function clustersByItem(rows: readonly VerdictRow[], items: readonly string[]): number[] {
  const single = new Map(items.map((item) => [item, 0]));
  const named = new Map(items.map((item) => [item, new Set<string>()]));
  for (const { left, right, cluster } of rows) {
    for (const item of [left, right]) {
      if (cluster === undefined) single.set(item, single.get(item)! + 1);
      else named.get(item)!.add(cluster);
    }
  }
  return items.map((item) => single.get(item)! + named.get(item)!.size);
}
