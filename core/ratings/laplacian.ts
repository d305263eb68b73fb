import type { PairCounts } from './pair-counts';

/**
 * Solves (L + D)·x = b, where L is the Laplacian of the graph of pairs with the given weights and D a diagonal,
 * by conjugate gradients preconditioned with the diagonal (Hestenes and Stiefel 1952). A step costs as much as
 * there are pairs, so 1,000 items need no table of 1,000². Where D is zero, b must sum to zero over every
 * connected part, and the answer is the one that does too.
 */
export function solveLaplacian(
  pairs: PairCounts,
  weights: Float64Array,
  diagonal: Float64Array,
  rightSide: Float64Array,
): Float64Array {
  const size = rightSide.length;
  const scale = preconditioner(pairs, weights, diagonal);
  const x = new Float64Array(size);
  const residual = rightSide.slice();
  const direction = residual.map((value, i) => value * scale[i]!);
  const image = new Float64Array(size);
  let energy = dot(residual, direction);
  const goal = RELATIVE_GOAL ** 2 * dot(residual, residual);
  for (let step = 0; step < 2 * size && dot(residual, residual) > goal; step++) {
    applyLaplacian(pairs, weights, diagonal, direction, image);
    const length = energy / dot(direction, image);
    let nextEnergy = 0;
    for (let i = 0; i < size; i++) {
      x[i]! += length * direction[i]!;
      const left = residual[i]! - length * image[i]!;
      residual[i] = left;
      nextEnergy += left * left * scale[i]!;
    }
    const turn = nextEnergy / energy;
    for (let i = 0; i < size; i++) direction[i] = residual[i]! * scale[i]! + turn * direction[i]!;
    energy = nextEnergy;
  }
  return x;
}

/** A Newton step need be no better than this: each one then still wins some six digits. */
const RELATIVE_GOAL = 1e-6;

function preconditioner(pairs: PairCounts, weights: Float64Array, diagonal: Float64Array): Float64Array {
  const sums = diagonal.slice();
  for (let k = 0; k < weights.length; k++) {
    sums[pairs.low[k]!]! += weights[k]!;
    sums[pairs.high[k]!]! += weights[k]!;
  }
  return sums.map((sum) => (sum > 0 ? 1 / sum : 0));
}

function applyLaplacian(
  pairs: PairCounts,
  weights: Float64Array,
  diagonal: Float64Array,
  x: Float64Array,
  image: Float64Array,
): void {
  const { low, high } = pairs;
  for (let i = 0; i < x.length; i++) image[i] = diagonal[i]! * x[i]!;
  for (let k = 0; k < weights.length; k++) {
    const i = low[k]!;
    const j = high[k]!;
    const flow = weights[k]! * (x[i]! - x[j]!);
    image[i]! += flow;
    image[j]! -= flow;
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
