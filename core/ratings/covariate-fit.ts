import { choleskyFactor, solveCholesky } from './cholesky';
import { sigmoid } from './elo-scale';
import type { MatchDesign } from './match-design';

/** Bradley–Terry with covariates of the match: logit P(A) = θa − θb + Σ γk·xk. */
export interface CovariateFit {
  /** Strengths in logits, mean zero. */
  theta: Float64Array;
  /** γ, a standard deviation of its covariate. */
  effects: Float64Array;
  /** Standard deviation of each covariate over the matches (about zero, for it is a difference). */
  sds: Float64Array;
  /** Share of each covariate's square that a regression on the candidates explains. */
  explained: Float64Array;
  gradient: number;
}

export interface CovariatePrior {
  /** Standard deviation of the normal prior on each effect. */
  priorSd: number;
  /** Virtual ties of each candidate against strength zero; 0 for none. */
  tieWeight: number;
}

/** @param differences the covariates, each one value a match: side A's less side B's */
export function fitWithCovariates(
  design: MatchDesign,
  differences: readonly (readonly number[])[],
  prior: CovariatePrior,
): CovariateFit {
  const sds = Float64Array.from(differences, rootMeanSquare);
  const columns = differences.map((values, k) => values.map((value) => (sds[k]! > 0 ? value / sds[k]! : 0)));
  const size = design.candidates.length;
  const at = new Float64Array(size + columns.length);
  let slope = slopeAt(design, columns, prior, at);
  for (let step = 0; step < 100 && slope.largest > 1e-11; step++) {
    const width = at.length;
    const move = solveCholesky(choleskyFactor(slope.curvature, width), width, slope.gradient);
    let share = 1;
    let next = slopeAt(design, columns, prior, moved(at, move, share));
    while (next.norm >= slope.norm && share > 1e-6) {
      share /= 2;
      next = slopeAt(design, columns, prior, moved(at, move, share));
    }
    if (next.norm >= slope.norm) break;
    at.set(moved(at, move, share));
    slope = next;
  }
  const mean = at.slice(0, size).reduce((sum, value) => sum + value, 0) / Math.max(1, size);
  return {
    theta: at.slice(0, size).map((value) => value - mean),
    effects: at.slice(size),
    sds,
    explained: Float64Array.from(columns, (column) => explainedShare(design, column)),
    gradient: slope.largest,
  };
}

interface Slope {
  gradient: Float64Array;
  curvature: Float64Array;
  norm: number;
  largest: number;
}

function slopeAt(
  design: MatchDesign,
  columns: readonly number[][],
  { priorSd, tieWeight }: CovariatePrior,
  at: Float64Array,
): Slope {
  const size = design.candidates.length;
  const width = at.length;
  const gradient = new Float64Array(width);
  const curvature = new Float64Array(width * width);
  // Pins the common shift, which no match can see; ties do, and the pin would make the steps too short.
  if (tieWeight === 0)
    for (let i = 0; i < size; i++) for (let j = 0; j < size; j++) curvature[i * width + j] = 1 / size;
  const row = new Float64Array(width);
  design.matches.forEach(({ a, b, scoreA }, m) => {
    row.fill(0);
    row[a] = 1;
    row[b] = -1;
    columns.forEach((column, k) => {
      row[size + k] = column[m]!;
    });
    let logit = 0;
    for (let i = 0; i < width; i++) logit += row[i]! * at[i]!;
    const weight = sigmoid(logit) * sigmoid(-logit);
    for (let i = 0; i < width; i++) {
      if (row[i] === 0) continue;
      gradient[i]! += row[i]! * (scoreA - sigmoid(logit));
      for (let j = 0; j < width; j++) curvature[i * width + j]! += weight * row[i]! * row[j]!;
    }
  });
  for (let i = 0; i < size; i++) {
    gradient[i]! += tieWeight * (0.5 - sigmoid(at[i]!));
    curvature[i * width + i]! += tieWeight * sigmoid(at[i]!) * sigmoid(-at[i]!);
  }
  for (let i = size; i < width; i++) {
    gradient[i]! -= at[i]! / priorSd ** 2;
    curvature[i * width + i]! += 1 / priorSd ** 2;
  }
  const squares = gradient.reduce((sum, entry) => sum + entry ** 2, 0);
  const largest = gradient.reduce((most, entry) => Math.max(most, Math.abs(entry)), 0);
  return { gradient, curvature, norm: Math.sqrt(squares), largest };
}

function moved(at: Float64Array, move: Float64Array, share: number): Float64Array {
  return at.map((value, i) => value + share * move[i]!);
}

/** R² of a least-squares fit of the covariate by differences of one number a candidate. */
function explainedShare(design: MatchDesign, column: readonly number[]): number {
  const size = design.candidates.length;
  const normal = new Float64Array(size * size).fill(1 / size);
  const right = new Float64Array(size);
  design.matches.forEach(({ a, b }, m) => {
    normal[a * size + a]! += 1;
    normal[b * size + b]! += 1;
    normal[a * size + b]! -= 1;
    normal[b * size + a]! -= 1;
    right[a]! += column[m]!;
    right[b]! -= column[m]!;
  });
  // Candidates that no match connects leave the matrix singular; a grain of salt keeps it solvable.
  for (let i = 0; i < size; i++) normal[i * size + i]! += 1e-9;
  const numbers = solveCholesky(choleskyFactor(normal, size), size, right);
  let left = 0;
  let all = 0;
  design.matches.forEach(({ a, b }, m) => {
    left += (column[m]! - numbers[a]! + numbers[b]!) ** 2;
    all += column[m]! ** 2;
  });
  return all > 0 ? Math.max(0, 1 - left / all) : 0;
}

function rootMeanSquare(values: readonly number[]): number {
  return values.length === 0
    ? 0
    : Math.sqrt(values.reduce((sum, value) => sum + value ** 2, 0) / values.length);
}
