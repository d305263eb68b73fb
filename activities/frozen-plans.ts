import type { BenchPlan } from '../core/bench-plan';
import { BoundedMap } from '../core/bounded-map';
import { BenchTakenOver, findBench } from '../db/benches';
import type { Database } from '../db/database';
import type { BenchRef } from './activity-deps';

/** Benches whose plans are at hand at once. */
const MOST = 20;

/** A bench's plan never changes once it is written: a worker need not read it for every call. */
export class FrozenPlans {
  private readonly plans = new BoundedMap<string, BenchPlan>(MOST);

  constructor(private readonly db: Database) {}

  /** @throws BenchTakenOver when there is no such bench */
  async read({ benchId, epoch }: BenchRef): Promise<BenchPlan> {
    const known = this.plans.get(benchId);
    if (known) return known;
    const bench = await findBench(this.db, benchId);
    if (!bench) throw new BenchTakenOver(benchId, epoch, null);
    this.plans.set(benchId, bench.plan);
    return bench.plan;
  }
}
