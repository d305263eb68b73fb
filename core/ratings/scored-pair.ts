/** One comparison of two named items. `scoreLeft` is what the left one got of it: 1 a win, ½ a tie, 0 a loss. */
export interface ScoredPair {
  left: string;
  right: string;
  /** From 0 to 1; anything between is a share of the win. */
  scoreLeft: number;
}
