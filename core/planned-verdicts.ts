import type { BenchPlan } from './bench-plan';
import { ORDERS } from './ids';
import { repeatedMatches } from './repeated-matches';
import { replicatesOf } from './replicates';

/** How much judging a plan asks for if every slot gives a hypothesis. */
export interface PlannedVerdicts {
  matches: number;
  /** Of one judge on one match: 2 in both orders, 1 in one. */
  ordersPerMatch: number;
  /** That the matches' outcomes are made of, all judges together. */
  verdicts: number;
  /** Asked again in the same order, all judges together; they are in no outcome. */
  repeats: number;
}

/** What the plan asks of its judges when every slot brings a hypothesis; no state of the bench is in it. */
export function plannedVerdicts(
  plan: Pick<
    BenchPlan,
    'candidates' | 'matches' | 'judges' | 'orders' | 'repeatShare' | 'replicates' | 'seed'
  >,
): PlannedVerdicts {
  const pairs = (plan.candidates.length * (plan.candidates.length - 1)) / 2;
  const matches = pairs * plan.matches * replicatesOf(plan);
  const ordersPerMatch = plan.orders === 'balanced' ? 1 : ORDERS.length;
  const perMatch = ordersPerMatch * plan.judges.length;
  return {
    matches,
    ordersPerMatch,
    verdicts: matches * perMatch,
    repeats: repeatedMatches(plan.seed, plan.repeatShare)(matches) * perMatch,
  };
}
