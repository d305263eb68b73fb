/**
 * How alike two texts are by their trigrams, 0 to 1: shared trigrams ÷ all trigrams, each counted once. The same as
 * `similarity()` of Postgres' pg_trgm, which decides while a bench runs: words are runs of letters and digits, in lower
 * case, with two blanks before and one after. 0 where neither text has a word.
 */
export function trigramSimilarity(one: string, other: string): number {
  const ofOne = trigrams(one);
  const ofOther = trigrams(other);
  let shared = 0;
  for (const trigram of ofOne) if (ofOther.has(trigram)) shared += 1;
  const all = ofOne.size + ofOther.size - shared;
  return all === 0 ? 0 : shared / all;
}

export function trigrams(text: string): Set<string> {
  const found = new Set<string>();
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    const padded = [' ', ' ', ...word, ' '];
    for (let i = 0; i + 3 <= padded.length; i++) found.add(padded.slice(i, i + 3).join(''));
  }
  return found;
}
