import fc from 'fast-check';

/** The text of the same JSON with one part of it replaced, or left out. */
export function brokenJson(good: unknown): fc.Arbitrary<string> {
  const places = placesIn(good);
  return fc
    .tuple(fc.constantFrom(...places), fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant(undefined)))
    .map(([place, part]) => JSON.stringify(replaced(good, place, part)) ?? '');
}

function placesIn(value: unknown, here: (string | number)[] = []): (string | number)[][] {
  if (value === null || typeof value !== 'object') return [here];
  return [here, ...Object.entries(value).flatMap(([key, part]) => placesIn(part, [...here, key]))];
}

function replaced(value: unknown, [first, ...rest]: (string | number)[], part: unknown): unknown {
  if (first === undefined) return part;
  const copy = structuredClone(value) as Record<string | number, unknown>;
  copy[first] = replaced(copy[first], rest, part);
  return copy;
}
