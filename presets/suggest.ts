import { closest, distance } from 'fastest-levenshtein';

/** The known word nearest to this one, or null when more than a third of it (and more than two letters) differs. */
export function suggest(word: string, known: readonly string[]): string | null {
  if (known.length === 0) return null;
  const nearest = closest(word, known);
  const allowed = nearest.length < 4 ? 1 : Math.max(2, Math.floor(nearest.length / 3));
  return distance(word.toLowerCase(), nearest.toLowerCase()) <= allowed ? nearest : null;
}
