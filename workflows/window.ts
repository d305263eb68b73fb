import { CancellationScope, condition, workflowInfo } from '@temporalio/workflow';

/** Runs tasks side by side, `size` at most. */
export class Window {
  private inFlight = 0;
  private failure: { error: unknown } | undefined;
  private readonly scope = new CancellationScope();

  private constructor(private readonly size: number) {}

  /**
   * Does work that starts tasks, and returns when they have ended too. A failure or a cancellation cancels those still
   * in flight and waits for them all the same: a call that is out is booked before its bench sums up.
   * @throws what the work threw, or the first error of a task
   */
  static async open<T>(size: number, work: (window: Window) => Promise<T>): Promise<T> {
    const window = new Window(size);
    try {
      const result = await work(window);
      await window.drain();
      return result;
    } catch (error) {
      window.scope.cancel();
      await CancellationScope.nonCancellable(() => condition(() => window.inFlight === 0));
      throw error;
    }
  }

  /**
   * Starts a task as soon as there is room, and returns once it has started.
   * @throws the first error of an earlier task
   */
  async start(task: () => Promise<void>): Promise<void> {
    // Every promise of a workflow costs the SDK a stack trace: a window with room makes none it can do without.
    if (!this.hasRoom()) await condition(() => this.hasRoom());
    this.rethrow();
    this.inFlight += 1;
    void this.scope.run(() => this.carryOut(task));
  }

  /**
   * Waits until all that has started has ended.
   * @throws the first error of any of it
   */
  async drain(): Promise<void> {
    await condition(() => this.inFlight === 0 || this.failure !== undefined);
    this.rethrow();
  }

  private hasRoom(): boolean {
    return this.inFlight < this.size || this.failure !== undefined;
  }

  private async carryOut(task: () => Promise<void>): Promise<void> {
    try {
      await task();
    } catch (error) {
      this.failure ??= { error };
    }
    this.inFlight -= 1;
  }

  private rethrow(): void {
    if (this.failure) throw this.failure.error;
  }
}

/** Events after which a run continues as new; what is in flight then may add a few hundred. */
const FULL_AT_EVENTS = 3_500;

/** However much is in flight, a run gets something done. */
const NEVER_FULL_BELOW_EVENTS = 500;

/**
 * Whether this run should begin nothing more and continue as new.
 * @param toCome events that what is in flight may add beyond those few hundred
 */
export function isHistoryFull(toCome = 0): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo();
  const fullAt = Math.max(FULL_AT_EVENTS - toCome, NEVER_FULL_BELOW_EVENTS);
  return continueAsNewSuggested || historyLength >= fullAt;
}
