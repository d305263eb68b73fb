import { randomFrom } from '../random';

/** A seed of its own for each night: with one seed simulated models would write the same texts every night. */
export function nightSeed(seed: number, night: number): number {
  return randomFrom(seed, 'night', String(night)).integers(0, 2 ** 32);
}
