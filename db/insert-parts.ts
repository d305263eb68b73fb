/** Rows of one INSERT: a statement takes 65,535 values at most, and no table written so has over 100 columns. */
const ROWS_PER_INSERT = 500;

/** Rows in parts that one INSERT takes, in their order; none of no rows. */
export function* insertParts<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    yield rows.slice(start, start + ROWS_PER_INSERT);
  }
}
