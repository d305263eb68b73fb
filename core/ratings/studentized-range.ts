import { logGamma } from './beta';
import { HermiteTable } from './hermite-table';
import { normalBelow, normalDensity } from './normal';

/**
 * The range of `groups` independent standard normals divided by an independent estimate of their standard
 * deviation with the given degrees of freedom (Tukey 1953): P(Q ≤ q). Both integrals by the trapezoidal rule,
 * which for such bells is exact to about 1e-9.
 *
 * @param groups 2 or more
 * @param degrees positive, or infinite
 */
export function studentizedRangeBelow(q: number, groups: number, degrees: number): number {
  if (q <= 0) return 0;
  if (degrees >= NORMAL_FROM) return rangeBelow(q, groups);
  // The deviation is sqrt(χ²/degrees); over its logarithm u the density is smooth and falls off on both sides.
  const half = degrees / 2;
  const logScale = Math.LN2 + half * Math.log(half) - logGamma(half);
  const spread = 1 / Math.sqrt(2 * degrees);
  // The fewer the degrees, the less normal the density.
  const step = spread / (degrees < 5 ? 6 : 3);
  let sum = 0;
  for (let u = Math.min(8 * spread, 3); ; u -= step) {
    const density = Math.exp(logScale + degrees * u - half * Math.exp(2 * u));
    if (u > 0 && density < NEGLIGIBLE) continue;
    const mass = density * rangeBelow(q * Math.exp(u), groups);
    sum += mass;
    if (u < 0 && mass < NEGLIGIBLE) break;
  }
  return Math.min(1, sum * step);
}

/** The q with P(Q ≤ q) = probability. Divided by √2 it bounds all pairwise differences of `groups` at once. */
export function studentizedRangeQuantile(probability: number, groups: number, degrees: number): number {
  if (!(probability > 0 && probability < 1))
    throw new RangeError(`studentized range quantile of ${probability}`);
  if (!(groups >= 2 && degrees > 0))
    throw new RangeError(`studentized range of ${groups} groups, ${degrees} degrees`);
  let low = 0;
  let high = 4;
  while (studentizedRangeBelow(high, groups, degrees) < probability) [low, high] = [high, 2 * high];
  // Regula falsi on a log scale of the tail, kept inside the bracket by halving (Illinois).
  const distance = (q: number) =>
    Math.log(1 - studentizedRangeBelow(q, groups, degrees)) - Math.log(1 - probability);
  let atLow = low === 0 ? -Math.log(1 - probability) : distance(low);
  let atHigh = distance(high);
  for (let step = 0; step < 60 && high - low > 1e-12 * high; step++) {
    const q = (low * atHigh - high * atLow) / (atHigh - atLow);
    const at = distance(q);
    if (Math.abs(at) < 1e-10) return q;
    if (at > 0) {
      [low, atLow] = [q, at];
      atHigh /= 2;
    } else {
      [high, atHigh] = [q, at];
      atLow /= 2;
    }
  }
  return (low + high) / 2;
}

/** Above this the estimated deviation no longer matters. */
const NORMAL_FROM = 1e6;

const NEGLIGIBLE = 1e-13;

/** P(largest − smallest of `groups` standard normals ≤ width), from a table made once for each number of groups. */
function rangeBelow(width: number, groups: number): number {
  let table = rangeTables.get(groups);
  if (table === undefined) {
    table = new HermiteTable(
      0,
      WIDEST,
      1 / 64,
      (w) => overLargest((z) => groups * spanBelow(z, w) ** (groups - 1)),
      (w) =>
        overLargest((z) => groups * (groups - 1) * normalDensity(z - w) * spanBelow(z, w) ** (groups - 2)),
    );
    rangeTables.set(groups, table);
  }
  return width >= WIDEST ? 1 : table.at(width);
}

/** No range of fewer than 10^9 normals is wider, to 1e-10. */
const WIDEST = 16;
const rangeTables = new Map<number, HermiteTable>();
const NORMAL = new HermiteTable(-8.5, 8.5, 1 / 256, normalBelow, normalDensity);

/** The chance of one normal to lie within `width` below z. */
function spanBelow(z: number, width: number): number {
  return NORMAL.at(z) - NORMAL.at(z - width);
}

/** The integral over where the largest may be, times its density. */
function overLargest(integrand: (z: number) => number): number {
  let sum = 0;
  for (let z = -8; z <= 8; z += LARGEST_STEP) sum += normalDensity(z) * integrand(z);
  return sum * LARGEST_STEP;
}

const LARGEST_STEP = 0.25;
