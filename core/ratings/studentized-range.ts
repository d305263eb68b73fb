import { logGamma } from './beta';
import { normalBelow, normalDensity } from './normal';

/**
 * The range of `groups` independent standard normals divided by an independent estimate of their standard
 * deviation with the given degrees of freedom (Tukey 1953): P(Q ≤ q). Both integrals by the trapezoidal rule,
 * which for such bells is exact to about 1e-10.
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

/** P(largest − smallest of `groups` standard normals ≤ width), over where the largest may be. */
function rangeBelow(width: number, groups: number): number {
  let sum = 0;
  for (const { z, density, below } of LARGEST) {
    sum += density * (below - tabledBelow(z - width)) ** (groups - 1);
  }
  return Math.min(1, groups * sum * RANGE_STEP);
}

const RANGE_STEP = 0.25;
const LARGEST = Array.from({ length: 65 }, (_, k) => (k - 32) * RANGE_STEP).map((z) => ({
  z,
  density: normalDensity(z),
  below: normalBelow(z),
}));

/** Φ from a table, by cubic interpolation with its exact slopes: to 1e-12, and ten times as fast. */
function tabledBelow(x: number): number {
  if (x <= -TABLE_REACH) return 0;
  if (x >= TABLE_REACH) return 1;
  const { below, slope } = normalTable();
  const at = (x + TABLE_REACH) / TABLE_STEP;
  const k = Math.floor(at);
  const t = at - k;
  const a = below[k]!;
  const b = below[k + 1]!;
  const m = slope[k]! * TABLE_STEP;
  const n = slope[k + 1]! * TABLE_STEP;
  return a + t * (m + t * (3 * (b - a) - 2 * m - n + t * (m + n - 2 * (b - a))));
}

const TABLE_REACH = 8.5;
const TABLE_STEP = 1 / 256;
let table: { below: Float64Array; slope: Float64Array } | null = null;

function normalTable(): { below: Float64Array; slope: Float64Array } {
  if (table === null) {
    const nodes = Float64Array.from(
      { length: (2 * TABLE_REACH) / TABLE_STEP + 2 },
      (_, k) => k * TABLE_STEP - TABLE_REACH,
    );
    table = { below: nodes.map(normalBelow), slope: nodes.map(normalDensity) };
  }
  return table;
}
