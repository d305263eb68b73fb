import fc from 'fast-check';
import { choleskyFactor, invertCholesky, solveCholesky } from '../../../core/ratings/cholesky';

/** M·Mᵀ + 1 for any M: positive definite, and no worse conditioned than its numbers are large. */
const anyMatrix = fc.integer({ min: 1, max: 7 }).chain((size) =>
  fc.array(fc.integer({ min: -5, max: 5 }), { minLength: size * size, maxLength: size * size }).map((m) => {
    const matrix = Float64Array.from({ length: size * size }, (_, cell) => {
      const [i, j] = [Math.floor(cell / size), cell % size];
      let sum = i === j ? 1 : 0;
      for (let k = 0; k < size; k++) sum += m[i * size + k]! * m[j * size + k]!;
      return sum;
    });
    return { matrix, size };
  }),
);

describe('symmetric positive definite systems', () => {
  it('have the inverse that Gauss and Jordan find (naive twin), and solve by it', () => {
    fc.assert(
      fc.property(anyMatrix, ({ matrix, size }) => {
        const factor = choleskyFactor(matrix, size);
        const inverse = invertCholesky(factor, size);
        gaussJordan(matrix, size).forEach((value, cell) => {
          expect(inverse[cell]!).toBeCloseTo(value, 9);
        });
        const unit = Float64Array.from({ length: size }, (_, i) => i + 1);
        solveCholesky(factor, size, unit).forEach((value, i) => {
          const naive = unit.reduce((sum, one, j) => sum + inverse[i * size + j]! * one, 0);
          expect(value).toBeCloseTo(naive, 8);
        });
      }),
    );
  });

  it('are refused when they are not: the pivot is named', () => {
    expect(() => choleskyFactor(Float64Array.of(1, 2, 2, 1), 2)).toThrow('pivot 1 of 2 is -3, not positive');
  });
});

function gaussJordan(matrix: Float64Array, size: number): number[] {
  const rows = Array.from({ length: size }, (_, i) => [
    ...matrix.slice(i * size, (i + 1) * size),
    ...Array.from({ length: size }, (__, j) => (i === j ? 1 : 0)),
  ]);
  for (let column = 0; column < size; column++) {
    const best = rows.slice(column).reduce((a, b) => (Math.abs(b[column]!) > Math.abs(a[column]!) ? b : a));
    const place = rows.indexOf(best);
    [rows[column], rows[place]] = [rows[place]!, rows[column]!];
    const pivot = rows[column]![column]!;
    rows[column] = rows[column]!.map((value) => value / pivot);
    for (let i = 0; i < size; i++) {
      if (i === column) continue;
      const times = rows[i]![column]!;
      rows[i] = rows[i]!.map((value, j) => value - times * rows[column]![j]!);
    }
  }
  return rows.flatMap((row) => row.slice(size));
}
