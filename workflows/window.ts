import { condition, workflowInfo } from '@temporalio/workflow';

/** Runs tasks side by side, `size` at most. */
export class Window {
  private inFlight = 0;
  private failure: { error: unknown } | undefined;

  constructor(private readonly size: number) {}

  /**
   * Starts a task as soon as there is room, and returns once it has started.
   * @throws the first error of an earlier task
   */
  async start(task: () => Promise<void>): Promise<void> {
    await condition(() => this.inFlight < this.size || this.failure !== undefined);
    this.rethrow();
    this.inFlight += 1;
    void task()
      .catch((error: unknown) => {
        this.failure ??= { error };
      })
      .finally(() => {
        this.inFlight -= 1;
      });
  }

  /**
   * Waits until all that has started has ended.
   * @throws the first error of any of it
   */
  async drain(): Promise<void> {
    await condition(() => this.inFlight === 0);
    this.rethrow();
  }

  private rethrow(): void {
    if (this.failure) throw this.failure.error;
  }
}

/** Events after which a run continues as new; what is in flight then may add a few hundred. */
const FULL_AT_EVENTS = 3_500;

/** Whether this run should begin nothing more and continue as new. */
export function isHistoryFull(): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo();
  return continueAsNewSuggested || historyLength >= FULL_AT_EVENTS;
}
