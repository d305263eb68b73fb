/** A text as the set of its trigrams. */
export interface TrigramText {
  id: string;
  /** Each once, separated by commas, as Postgres gives them; empty: a text without a word. */
  trigrams: string;
}

/** Two texts that say nearly the same. */
export interface SimilarPair {
  earlierId: string;
  laterId: string;
}

/**
 * Which texts have a trigram similarity (shared ÷ all, 0 to 1) of at least the threshold to which before them: the very
 * pairs that `similarity()` of Postgres' pg_trgm finds, which takes both texts apart anew for every pair. A step a text,
 * of a few milliseconds, so that who asks can see to other things between two.
 * @param threshold over 0
 * @yields pairs of the next text, in the order of the earlier ones
 */
export function* similarPairs(texts: readonly TrigramText[], threshold: number): Generator<SimilarPair[]> {
  const holdersOf = new Map<string, number[]>();
  const sizes: number[] = [];
  for (const [later, { id: laterId, trigrams }] of texts.entries()) {
    const own = trigrams === '' ? [] : trigrams.split(',');
    const shared = new Uint32Array(later);
    for (const trigram of own) {
      const holders = holdersOf.get(trigram);
      if (!holders) holdersOf.set(trigram, [later]);
      else countUp(shared, holders).push(later);
    }
    // In single precision, as Postgres has it, so that the very same pairs reach the threshold; 0 ÷ 0 never does.
    yield sizes.flatMap((size, earlier) => {
      const all = size + own.length - shared[earlier]!;
      return Math.fround(shared[earlier]! / all) >= threshold
        ? [{ earlierId: texts[earlier]!.id, laterId }]
        : [];
    });
    sizes.push(own.length);
  }
}

function countUp(counts: Uint32Array, places: number[]): number[] {
  for (let i = 0; i < places.length; i++) counts[places[i]!]! += 1;
  return places;
}
