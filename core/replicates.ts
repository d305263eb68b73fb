import type { BenchPlan } from './bench-plan';

type Sized = Pick<BenchPlan, 'n' | 'replicates'>;

/** How often the bench is run, each time with fresh hypotheses; plans written before there were replicates: once. */
export function replicatesOf({ replicates }: Pick<BenchPlan, 'replicates'>): number {
  return replicates ?? 1;
}

/** Hypotheses of a candidate over all runs. */
export function slotsPerCandidate(plan: Sized): number {
  return plan.n * replicatesOf(plan);
}

/** The last slot of each run. */
export function runEnds(plan: Sized): number[] {
  return Array.from({ length: replicatesOf(plan) }, (_, i) => (i + 1) * plan.n);
}

/** The run that a slot belongs to, from 1. @param k number of the slot, from 1: run after run, n each */
export function runOfSlot(k: number, { n }: Pick<BenchPlan, 'n'>): number {
  return Math.ceil(k / n);
}
