/**
 * Whether a match is between two texts of its own bench. A night's opponents are those of another: they keep the rating
 * that they have there, and rate nobody here.
 * @param slots of the bench
 */
export function isBetweenOwn(
  slots: readonly { id: string }[],
): (match: { hypA: string; hypB: string }) => boolean {
  const own = new Set(slots.map(({ id }) => id));
  return ({ hypA, hypB }) => own.has(hypA) && own.has(hypB);
}
