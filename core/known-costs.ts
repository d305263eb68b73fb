/** What some calls came to, in USD: what is known of it, and what is left out. */
export interface KnownCosts {
  /** Sum of the known costs. */
  costUsd: number;
  /** Calls that ended with a cost nobody knows. */
  nUnknownCost: number;
  /** Bounds of the calls that may have been billed: out, or in doubt. */
  inDoubtUsd: number;
}
