import { betaBelow, logGamma } from './beta';
import { normalBelow, normalQuantile } from './normal';

/** Above this many degrees of freedom Student's t is the normal to 1e-9. */
const NORMAL_FROM = 1e9;

/** P(T > t) + P(T < −t) for Student's t. Degrees may be any positive number, or infinite. */
export function studentTwoSided(t: number, degrees: number): number {
  if (degrees >= NORMAL_FROM) return 2 * normalBelow(-Math.abs(t));
  return betaBelow(degrees / (degrees + t * t), degrees / 2, 0.5);
}

/** The t that |T| stays below with the given probability: 0.95 gives the factor of a 95 % interval. */
export function studentFactor(confidence: number, degrees: number): number {
  if (!(confidence > 0 && confidence < 1))
    throw new RangeError(`confidence ${confidence} is not within 0 and 1`);
  if (!(degrees > 0)) throw new RangeError(`degrees of freedom ${degrees} are not positive`);
  const outside = 1 - confidence;
  const normal = -normalQuantile(outside / 2);
  if (degrees >= NORMAL_FROM) return normal;
  let low = normal;
  let high = 2 * normal;
  while (studentTwoSided(high, degrees) > outside) [low, high] = [high, 2 * high];
  let t = low;
  for (let step = 0; step < 200; step++) {
    const error = studentTwoSided(t, degrees) - outside;
    if (error > 0) low = t;
    else high = t;
    const newton = t + error / (2 * studentDensity(t, degrees));
    const next = newton > low && newton < high ? newton : (low + high) / 2;
    if (Math.abs(next - t) <= 1e-14 * t) return next;
    t = next;
  }
  return t;
}

function studentDensity(t: number, degrees: number): number {
  const logScale = logGamma((degrees + 1) / 2) - logGamma(degrees / 2) - Math.log(degrees * Math.PI) / 2;
  return Math.exp(logScale - ((degrees + 1) / 2) * Math.log1p((t * t) / degrees));
}
