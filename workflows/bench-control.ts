import { CancellationScope, condition, defineUpdate, setHandler } from '@temporalio/workflow';
import type { BenchRef } from '../activities/activity-deps';
import type { RaiseBudgetRequest } from '../activities/change-bench';
import { rowActivities } from './activity-options';

export const raiseBudgetUpdate = defineUpdate<void, [RaiseBudgetRequest]>('raiseBudget');
export const dropUpdate = defineUpdate<void, [string]>('drop');

/** What people may change about a running bench: raise a cap, drop a candidate. */
export class BenchControl {
  /** How often a cap was raised. */
  raises = 0;
  private readonly dropped = new Set<string>();
  private readonly scopes = new Map<string, CancellationScope>();
  private tellRaise: () => Promise<void> = async () => {};
  private ref: BenchRef | null = null;

  /** Listens from now on: an update that nobody listens for is refused. What is asked for waits until there is a bench. */
  constructor() {
    setHandler(raiseBudgetUpdate, (request) => this.raise(request), {
      description:
        'Raise a cap: {"scope": "judge", "bench" or a label, "capUsd": dollars}. Slots it had closed open again.',
    });
    setHandler(dropUpdate, (label) => this.drop(label), {
      description: 'Take a candidate out for good, by its label. What it has stays in the rows.',
    });
  }

  /** Carries out what was asked for before, and from now on all at once. */
  begin(ref: BenchRef): void {
    this.ref = ref;
  }

  /** Runs a candidate so that it can be dropped while it runs. */
  async runDroppable<T>(label: string, run: () => Promise<T>): Promise<T> {
    const scope = new CancellationScope();
    this.scopes.set(label, scope);
    if (this.isDropped(label)) scope.cancel();
    try {
      return await scope.run(run);
    } finally {
      this.scopes.delete(label);
    }
  }

  isDropped(label: string): boolean {
    return this.dropped.has(label);
  }

  /** @param tell is called after each raise from now on; a listener that has ended is no error */
  onRaise(tell: () => Promise<void>): void {
    this.tellRaise = tell;
  }

  private async raise(request: RaiseBudgetRequest): Promise<void> {
    await rowActivities().raiseBenchBudget({ ...(this.ref ?? (await this.untilBegun())), ...request });
    this.raises += 1;
    await this.tellRaise().catch(() => {});
  }

  private async drop(label: string): Promise<void> {
    await rowActivities().dropCandidate({ ...(this.ref ?? (await this.untilBegun())), label });
    this.dropped.add(label);
    this.scopes.get(label)?.cancel();
  }

  private async untilBegun(): Promise<BenchRef> {
    await condition(() => this.ref !== null);
    return this.ref as BenchRef;
  }
}
