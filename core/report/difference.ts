import { isJsonObject } from '../json-object';

/** A stored figure that does not follow from what it is made of. */
export interface Difference {
  /** What it is a figure of: an id, or `summary`. */
  subject: string;
  /** `winner`, `candidates[2].meanElo`. */
  field: string;
  stored: unknown;
  recomputed: unknown;
}

/**
 * Every place at which two values differ, however deep. What the recomputed value has beyond the stored one is no
 * difference: a later program may say more than the one that stored it.
 */
export function differencesBetween(
  subject: string,
  stored: unknown,
  recomputed: unknown,
  tolerance = RELATIVE,
): Difference[] {
  return compare('', stored, recomputed, tolerance).map((difference) => ({ subject, ...difference }));
}

/** Of a list of named figures. */
export function differingFigures(
  subject: string,
  figures: Record<string, readonly [stored: unknown, recomputed: unknown]>,
): Difference[] {
  return Object.entries(figures).flatMap(([field, [stored, recomputed]]) =>
    compare(field, stored, recomputed, RELATIVE).map((difference) => ({ subject, ...difference })),
  );
}

function compare(
  field: string,
  stored: unknown,
  recomputed: unknown,
  tolerance: Tolerance,
): Omit<Difference, 'subject'>[] {
  if (isSame(stored, recomputed, tolerance)) return [];
  if (Array.isArray(stored) && Array.isArray(recomputed)) {
    return range(Math.max(stored.length, recomputed.length)).flatMap((i) =>
      compare(`${field}[${i}]`, stored[i], recomputed[i], tolerance),
    );
  }
  if (isJsonObject(stored) && isJsonObject(recomputed)) {
    const names = COUNTS.test(field) ? Object.keys({ ...stored, ...recomputed }) : Object.keys(stored);
    return names.flatMap((name) =>
      compare(field === '' ? name : `${field}.${name}`, stored[name], recomputed[name], tolerance),
    );
  }
  return [{ field, stored, recomputed }];
}

/** By kind or reason: there a missing entry is a missing count, not a field that came later. */
const COUNTS = /(^|\.)(failures|unplayed|prompts)$|^attrition\[\d+\]\.missing$/;

/** How far two numbers may lie apart and still be one. */
export interface Tolerance {
  /** Of the larger one. */
  relative: number;
  absolute: number;
}

/** Sums of dollars are exact on both sides; Elo may differ in its last bits where a machine's `exp` does. */
const RELATIVE: Tolerance = { relative: 1e-9, absolute: 0 };

/** For what is found by steps: a gradient of 1e-12 may as well be 1e-13. */
export const FITTED: Tolerance = { relative: 1e-6, absolute: 1e-6 };

function isSame(one: unknown, other: unknown, { relative, absolute }: Tolerance): boolean {
  if (typeof one === 'number' && typeof other === 'number') {
    return Math.abs(one - other) <= absolute + relative * Math.max(Math.abs(one), Math.abs(other));
  }
  return Object.is(one, other);
}

function range(length: number): number[] {
  return Array.from({ length }, (_, i) => i);
}
