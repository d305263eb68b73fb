/** The standard normal distribution, to about 1e-15. */

export function normalDensity(x: number): number {
  return Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
}

/** P(Z ≤ x), with full relative precision in the lower tail. */
export function normalBelow(x: number): number {
  if (x > SERIES_RANGE) return 1 - tail(x);
  if (x < -SERIES_RANGE) return tail(-x);
  return 0.5 + normalDensity(x) * series(x);
}

/** The x with P(Z ≤ x) = probability. 0 and 1 give the infinities. */
export function normalQuantile(probability: number): number {
  if (!(probability >= 0 && probability <= 1)) throw new RangeError(`normal quantile of ${probability}`);
  if (probability === 0 || probability === 1) return probability === 0 ? -Infinity : Infinity;
  if (probability > 0.5) return -normalQuantile(1 - probability);
  // A first guess (Abramowitz and Stegun 26.2.23, good to 4.5e-4), then Halley's method.
  const t = Math.sqrt(-2 * Math.log(probability));
  let x =
    (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t;
  for (let step = 0; step < 3; step++) {
    const error = (normalBelow(x) - probability) / normalDensity(x);
    x -= error / (1 + (x * error) / 2);
  }
  return x;
}

/** Between these the series is exact; beyond, the continued fraction converges fast. */
const SERIES_RANGE = 3;

/** (Φ(x) − ½) / φ(x) = x + x³/3 + x⁵/(3·5) + … */
function series(x: number): number {
  let term = x;
  let sum = x;
  for (let k = 3; Math.abs(term) > 1e-17 * Math.abs(sum); k += 2) {
    term *= (x * x) / k;
    sum += term;
  }
  return sum;
}

/** P(Z > x) for x > 0, by the continued fraction of Mills' ratio (Laplace), from its end backwards. */
function tail(x: number): number {
  let fraction = x;
  for (let k = 80; k >= 1; k--) fraction = x + k / fraction;
  return normalDensity(x) / fraction;
}
