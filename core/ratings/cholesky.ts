/**
 * Symmetric positive definite systems, as small as ours are. Matrices are dense and row-major.
 */

/**
 * The lower factor L of A = L·Lᵀ; the upper half of the answer is zero.
 * @throws RangeError when A is not positive definite (to rounding)
 */
export function choleskyFactor(matrix: Float64Array, size: number): Float64Array {
  const factor = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * size + j]!;
      for (let k = 0; k < j; k++) sum -= factor[i * size + k]! * factor[j * size + k]!;
      if (i > j) factor[i * size + j] = sum / factor[j * size + j]!;
      else if (sum > 0) factor[i * size + i] = Math.sqrt(sum);
      else throw new RangeError(`cholesky: pivot ${i} of ${size} is ${sum}, not positive`);
    }
  }
  return factor;
}

/** x of L·Lᵀ·x = b. */
export function solveCholesky(factor: Float64Array, size: number, rightSide: Float64Array): Float64Array {
  const x = rightSide.slice();
  for (let i = 0; i < size; i++) {
    let sum = x[i]!;
    for (let k = 0; k < i; k++) sum -= factor[i * size + k]! * x[k]!;
    x[i] = sum / factor[i * size + i]!;
  }
  for (let i = size - 1; i >= 0; i--) {
    let sum = x[i]!;
    for (let k = i + 1; k < size; k++) sum -= factor[k * size + i]! * x[k]!;
    x[i] = sum / factor[i * size + i]!;
  }
  return x;
}

/** The inverse of A from its factor: M·Mᵀ, where M is the transposed inverse of L. Rows only, for the cache's sake. */
export function invertCholesky(factor: Float64Array, size: number): Float64Array {
  const transposed = transposedInverse(factor, size);
  const inverse = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = 0;
      for (let k = i; k < size; k++) sum += transposed[i * size + k]! * transposed[j * size + k]!;
      inverse[i * size + j] = sum;
      inverse[j * size + i] = sum;
    }
  }
  return inverse;
}

/** Row i holds column i of L⁻¹, by forward substitution of a unit vector. */
function transposedInverse(factor: Float64Array, size: number): Float64Array {
  const transposed = new Float64Array(size * size);
  for (let column = 0; column < size; column++) {
    const start = column * size;
    transposed[start + column] = 1 / factor[start + column]!;
    for (let i = column + 1; i < size; i++) {
      let sum = 0;
      for (let k = column; k < i; k++) sum -= factor[i * size + k]! * transposed[start + k]!;
      transposed[start + i] = sum / factor[i * size + i]!;
    }
  }
  return transposed;
}
