const PARTS = ['strengths', 'weaknesses', 'assessment'];

/** The parts of a review in the order in which they are asked for (Postgres keeps none), then what else it has. */
export function reviewParts(review: Readonly<Record<string, unknown>>): [name: string, value: unknown][] {
  const known = PARTS.filter((name) => Object.hasOwn(review, name));
  const others = Object.keys(review).filter((name) => !known.includes(name));
  return [...known, ...others].map((name) => [name, review[name]]);
}
