/**
 * A value that Postgres takes as text or jsonb: NUL and lone surrogates become U+FFFD in every string of it. Has to
 * happen before `JSON.stringify`, which turns them into escapes that jsonb refuses.
 */
export function toStorable<T>(value: T): T {
  return mapStrings(value, 0) as T;
}

/** jsonb text of a value, storable. */
export function toJsonb(value: unknown): string {
  return JSON.stringify(toStorable(value));
}

/** The same of a value that may be missing: null stays null. */
export function maybeJsonb(value: unknown): string | null {
  return value === null || value === undefined ? null : toJsonb(value);
}

const MAX_DEPTH = 500;

function mapStrings(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (value === null || typeof value !== 'object') return value;
  if (depth >= MAX_DEPTH) return '\uFFFD';
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [cleanText(key), mapStrings(item, depth + 1)]),
  );
}

function cleanText(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}
