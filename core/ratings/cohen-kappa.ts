import type { Interval } from './interval';
import { normalQuantile } from './normal';

/** Agreement of two raters beyond chance. */
export interface Kappa {
  /** −1 to 1; null where both put everything into one and the same category: then nothing is known. */
  value: number | null;
  /** null with fewer than two rated things, where the value is, where one of the two never varies, or they never differ. */
  interval: Interval | null;
}

/**
 * Cohen's κ (1960) with the large-sample interval of Fleiss, Cohen and Everitt (1969, eq. 13), cut at −1 and 1. It is
 * too narrow for a dozen things. Where they agree in all, or one of the two says the same of everything (then κ is 0
 * whatever the other says), its standard error is 0, which is no certainty: no interval.
 * @param pairs what each of the two said of the same thing; in any order
 */
export function cohenKappa<C extends string>(
  pairs: readonly (readonly [one: C, other: C])[],
  confidence = 0.95,
): Kappa {
  const n = pairs.length;
  if (n === 0) return { value: null, interval: null };
  const categories = [...new Set(pairs.flat())].sort();
  const cell = (i: C, j: C) => pairs.filter(([one, other]) => one === i && other === j).length / n;
  const cells = categories.map((i) => categories.map((j) => cell(i, j)));
  const rows = cells.map(sum);
  const columns = categories.map((_, j) => sum(cells.map((row) => row[j]!)));
  const observed = sum(cells.map((row, i) => row[i]!));
  const byChance = sum(rows.map((share, i) => share * columns[i]!));
  if (byChance >= 1) return { value: null, interval: null };
  const kappa = (observed - byChance) / (1 - byChance);
  const isConstant = [0, 1].some((rater) => new Set(pairs.map((pair) => pair[rater])).size === 1);
  if (n < 2 || isConstant) return { value: kappa, interval: null };
  const diagonal = sum(cells.map((row, i) => row[i]! * (1 - (rows[i]! + columns[i]!) * (1 - kappa)) ** 2));
  const beside = sum(
    cells.flatMap((row, i) => row.map((share, j) => (i === j ? 0 : share * (columns[i]! + rows[j]!) ** 2))),
  );
  const middle = (kappa - byChance * (1 - kappa)) ** 2;
  const variance = (diagonal + (1 - kappa) ** 2 * beside - middle) / (n * (1 - byChance) ** 2);
  if (variance <= ROUNDING) return { value: kappa, interval: null };
  const reach = normalQuantile((1 + confidence) / 2) * Math.sqrt(variance);
  return { value: kappa, interval: { low: Math.max(-1, kappa - reach), high: Math.min(1, kappa + reach) } };
}

/** A variance below this is what rounding left of none. */
const ROUNDING = 1e-12;

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
