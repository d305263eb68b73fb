/**
 * Output caps in tokens of the calls whose cap is not a setting; a generation's is
 * `generation.maxOutputTokens`. Roomy, since reasoning counts as output: a bound is held, not spent.
 */
export const OUTPUT_CAPS = {
  review: 8192,
  verdict: 8192,
  argument: 8192,
  scipivot: 8192,
  rubric: 8192,
} as const;
