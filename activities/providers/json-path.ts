import { roundUsd } from '../../core/prices';

/** What stands at a path of own keys and indices of foreign JSON; undefined where the path ends early. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  let here = value;
  for (const step of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined;
    here = (here as Record<string | number, unknown>)[step];
  }
  return here;
}

/** The text there; null for anything else. */
export function textAt(value: unknown, ...path: (string | number)[]): string | null {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : null;
}

/** The list there; empty for anything else. */
export function listAt(value: unknown, ...path: (string | number)[]): unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** A token count: an integer from 0; null for anything else, since a count that is not said is not 0. */
export function countAt(value: unknown, ...path: (string | number)[]): number | null {
  const found = at(value, ...path);
  return typeof found === 'number' && Number.isSafeInteger(found) && found >= 0 ? found : null;
}

/** What no call costs: no cap of a bench is higher. Sums over figures without any bound would break reports. */
const MOST_USD = 1e6;

/**
 * An amount of money, to 12 decimals as all of them are: sums are made in SQL and again from files, and are equal only
 * so. A number from 0 to a million; null for anything else, since that is not what a call cost.
 */
export function usdAt(value: unknown, ...path: (string | number)[]): number | null {
  const found = at(value, ...path);
  return typeof found === 'number' && found >= 0 && found <= MOST_USD ? roundUsd(found) : null;
}
