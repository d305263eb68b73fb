/** A text of JSON as it stands in a file: as the value itself, or as text where that would not give it back. */
export type Words<Name extends string> = { [K in Name]?: unknown } & { [K in `${Name}Text`]?: string };

/** Deeper values are kept as text: indented, they would grow with the square of their depth. */
const MAX_DEPTH = 64;

export function writeWords<Name extends string>(name: Name, words: string): Words<Name> {
  const value = faithfulValue(words);
  return (value === undefined ? { [`${name}Text`]: words } : { [name]: value }) as Words<Name>;
}

/** @returns null where the file says that there were no words */
export function readWords(value: unknown, words: string | undefined): string | null {
  if (words !== undefined) return words;
  return value === null || value === undefined ? null : JSON.stringify(value);
}

/** The value, if stringifying it gives the very same text; a bare `null` could not be told from no words at all. */
function faithfulValue(words: string): unknown {
  try {
    const value: unknown = JSON.parse(words);
    const isFaithful = value !== null && !isDeep(value, MAX_DEPTH) && JSON.stringify(value) === words;
    return isFaithful ? value : undefined;
  } catch {
    return undefined;
  }
}

function isDeep(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth === 0) return true;
  for (const item of Array.isArray(value) ? value : Object.values(value)) {
    if (typeof item === 'object' && item !== null && isDeep(item, depth - 1)) return true;
  }
  return false;
}
