import { randomFrom } from './random';

/**
 * A share of the matches, spread evenly over the schedule from a drawn start: the exact share, ±1 match.
 * @returns how many of the first so many matches are judged again
 */
export function repeatedMatches(seed: number, share: number): (first: number) => number {
  const start = randomFrom(seed, 'repeats').uniform();
  return (first) => Math.floor(first * share + start);
}
