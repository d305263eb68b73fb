import { createScanner } from 'jsonc-parser';
import type { JsonReading } from '../core/scipivot/answer';

/**
 * Reads one complete JSON value and sees a key that an object has twice, at any depth, equal values or not,
 * however the key is escaped. `JSON.parse` decides what is JSON; jsonc-parser's scanner only supplies the
 * keys. Neither recurses, so a text of a million brackets is read like any other.
 *
 * Other readers were tried and let duplicates through: lossless-json those with equal values; jsonc-parser's
 * and momoa's trees overflow the stack on deep texts.
 */
export function readJson(text: string): JsonReading {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'not_json' };
  }
  return firstDuplicateKey(text) ?? { kind: 'value', value };
}

/** @param text valid JSON, so a token's first character says which it is, and tokens come in order */
function firstDuplicateKey(text: string): Extract<JsonReading, { kind: 'duplicate_key' }> | null {
  const scanner = createScanner(text, true);
  /** The keys seen in each object the scanner is inside of; null for an array. */
  const open: (Set<string> | null)[] = [];
  let isKeyNext = false;
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    const first = text[scanner.getTokenOffset()];
    if (first === '"' && isKeyNext) {
      const keys = open.at(-1);
      const key = scanner.getTokenValue();
      if (keys?.has(key)) return { kind: 'duplicate_key', key, line: scanner.getTokenStartLine() + 1 };
      keys?.add(key);
    } else if (first === '{' || first === '[') {
      open.push(first === '{' ? new Set() : null);
    } else if (first === '}' || first === ']') {
      open.pop();
    }
    isKeyNext = first === '{' || (first === ',' && open.at(-1) !== null);
  }
  return null;
}
