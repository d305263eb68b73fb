import { closest, distance } from 'fastest-levenshtein';

/** The known word nearest to this one, or null when more than a third of its letters differ. */
export function suggest(word: string, known: readonly string[]): string | null {
  if (known.length === 0) return null;
  const nearest = closest(word, known);
  const allowed = Math.max(1, Math.floor(nearest.length / 3));
  return distance(word.toLowerCase(), nearest.toLowerCase()) <= allowed ? nearest : null;
}
