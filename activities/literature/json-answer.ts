import { isJsonObject } from '../../core/json-object';

export type JsonObject = Record<string, unknown>;

/** The body as one JSON object; null when it is anything else. */
export function parseJsonObject(text: string): JsonObject | null {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return null;
  }
}

/** The object at the end of a path; null when any step is missing or no object. */
export function objectAt(parent: JsonObject | null, ...path: string[]): JsonObject | null {
  return path.reduce<JsonObject | null>((at, key) => asObject(at?.[key]), parent);
}

export function asObject(value: unknown): JsonObject | null {
  return isJsonObject(value) ? value : null;
}

/** The objects of a list; null when it is no list. A single object counts as a list of one. */
export function objectsIn(value: unknown): JsonObject[] | null {
  const single = asObject(value);
  if (single) return [single];
  if (!Array.isArray(value)) return null;
  return value.map(asObject).filter((item) => item !== null);
}

export function stringsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

/** A text that is not blank; a number as its digits; else null. */
export function textIn(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}
