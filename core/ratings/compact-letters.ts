/**
 * Letters for "not different": two share a letter if and only if they do not differ. One may carry several, for
 * "not different" is not transitive. Insert and absorb (H.-P. Piepho, "An algorithm for a letter-based
 * representation of all-pairwise comparisons", 2004): each letter stands for a largest set without a difference.
 *
 * @param size how many, numbered by rank: the letter `a` is given to the set with the best
 * @param differs whether two (by number) differ; symmetric
 * @returns the letters of each, as in `ab`
 */
export function compactLetters(size: number, differs: (i: number, j: number) => boolean): string[] {
  let sets = [Array.from({ length: size }, (_, i) => i)];
  for (let i = 0; i < size; i++) {
    for (let j = i + 1; j < size; j++) {
      if (differs(i, j)) sets = absorb(sets.flatMap((set) => split(set, i, j)));
    }
  }
  sets.sort(byMembers);
  return Array.from({ length: size }, (_, i) =>
    sets.map((set, number) => (set.includes(i) ? letter(number) : '')).join(''),
  );
}

function split(set: number[], i: number, j: number): number[][] {
  if (!set.includes(i) || !set.includes(j)) return [set];
  return [set.filter((member) => member !== i), set.filter((member) => member !== j)];
}

/** Drops each set that lies within another (of equal ones, all but the first). */
function absorb(sets: number[][]): number[][] {
  return sets.filter((set, at) => {
    return !sets.some((other, otherAt) => {
      if (at === otherAt || set.length > other.length) return false;
      return set.every((member) => other.includes(member)) && (set.length < other.length || otherAt < at);
    });
  });
}

function byMembers(one: number[], other: number[]): number {
  for (let k = 0; k < Math.min(one.length, other.length); k++) {
    if (one[k] !== other[k]) return one[k]! - other[k]!;
  }
  return one.length - other.length;
}

/** a … z, then a1 … z1, and so on. */
function letter(number: number): string {
  const round = Math.floor(number / 26);
  return String.fromCharCode(97 + (number % 26)) + (round > 0 ? String(round) : '');
}
