/**
 * numpy's `percentile(sorted, percent)`: linear between neighbours (R's type 7), rounded as numpy rounds it.
 * @param sorted ascending, not empty
 * @param percent from 0 to 100
 */
export function linearPercentile(sorted: Float64Array, percent: number): number {
  const at = (sorted.length - 1) * (percent / 100);
  const below = Math.floor(at);
  const a = sorted[below]!;
  const b = sorted[Math.min(below + 1, sorted.length - 1)]!;
  const share = at - below;
  // From the nearer neighbour, as numpy's _lerp does it: the two forms may differ in the last bit.
  return share >= 0.5 ? b - (b - a) * (1 - share) : a + (b - a) * share;
}
