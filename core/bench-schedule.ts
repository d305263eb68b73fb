import type { BenchPlan } from './bench-plan';
import type { Order } from './ids';
import { repeatedMatches } from './repeated-matches';
import { replicatesOf } from './replicates';
import { buildSchedule, type ScheduledMatch } from './schedule';

/** A pairing with what is to be asked about it. */
export interface BenchMatch extends ScheduledMatch {
  /** Judged in one order only: the one its first judge is shown. null: in both. */
  oneOrder: Order | null;
  /** How often each of its verdicts is asked for again in the same order. */
  repeats: number;
}

/**
 * The whole schedule of a bench, run after run. Judged in one order, side a of a pair stays side a and the order
 * alternates from match to match: in each run each of the two is shown first equally often (±1), within the pair and
 * over all pairs, and which of them begins is drawn from the seed.
 */
export function scheduleBench(
  plan: Pick<BenchPlan, 'n' | 'replicates' | 'matches' | 'seed' | 'orders' | 'repeatShare'>,
  candidates: number,
): BenchMatch[] {
  const repeated = repeatedMatches(plan.seed, plan.repeatShare);
  return Array.from({ length: replicatesOf(plan) }, (_, i) => scheduleRun(plan, candidates, i + 1))
    .flat()
    .map((match, index) => ({ ...match, index, repeats: repeated(index + 1) - repeated(index) }));
}

/** One run's own hypotheses among themselves; indexes from 0. */
function scheduleRun(
  { n: slots, matches, seed, orders }: Pick<BenchPlan, 'n' | 'matches' | 'seed' | 'orders'>,
  candidates: number,
  run: number,
): Omit<BenchMatch, 'repeats'>[] {
  const pairs = (candidates * (candidates - 1)) / 2;
  const earlier = (run - 1) * slots;
  return buildSchedule({ candidates, slots, matches, seed, run }).map((match) => {
    const own = { ...match, slotA: match.slotA + earlier, slotB: match.slotB + earlier };
    const isOddRound = Math.floor(match.index / pairs) % 2 === 1;
    return orders === 'balanced' ? inOneOrder(own, isOddRound) : { ...own, oneOrder: null };
  });
}

/** The schedule swaps a pair's sides in every other round; here the order does. */
function inOneOrder(match: ScheduledMatch, isOddRound: boolean): ScheduledMatch & { oneOrder: Order } {
  if (!isOddRound) return { ...match, oneOrder: 'ab' };
  const { index, candA, candB, slotA, slotB } = match;
  return { index, candA: candB, candB: candA, slotA: slotB, slotB: slotA, oneOrder: 'ba' };
}
