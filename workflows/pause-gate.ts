import {
  CancellationScope,
  type ChildWorkflowHandle,
  condition,
  defineSignal,
  patched,
  setHandler,
  type Workflow,
  type WorkflowResultType,
} from '@temporalio/workflow';

export const pauseSignal = defineSignal('pause');
export const unpauseSignal = defineSignal('unpause');

/** Stops a workflow and its children between activities: what has begun ends, nothing new begins. */
export class PauseGate {
  private readonly children = new Set<ChildWorkflowHandle<Workflow>>();
  private reports: Promise<void> = Promise.resolve();
  private reported: boolean;

  /**
   * @param isPaused the parent's state when this workflow began
   * @param onChange told of each change, once it is in force
   */
  constructor(
    private isPaused: boolean,
    private readonly onChange: (isPaused: boolean) => Promise<void> = async () => {},
  ) {
    this.reported = isPaused;
    setHandler(pauseSignal, () => this.set(true), {
      description: 'Begin nothing new until unpaused. Calls in flight end and are kept.',
    });
    setHandler(unpauseSignal, () => this.set(false), {
      description: 'Go on where a pause, or a hold of its own, stopped.',
    });
  }

  get state(): boolean {
    return this.isPaused;
  }

  /** Returns at once, or when unpaused. */
  async pass(): Promise<void> {
    if (this.isPaused) await condition(() => !this.isPaused);
  }

  /**
   * Pauses this workflow alone, has somebody say so, and returns when it is unpaused. Nothing begins from this moment on:
   * were it said first, what ends meanwhile would make room for more. (Benches that held before this was so go on as
   * they were.)
   */
  async hold(say: () => Promise<void>): Promise<void> {
    const isClosedFirst = patched('hold-closes-first');
    if (isClosedFirst) this.isPaused = true;
    await say();
    if (!isClosedFirst) this.isPaused = true;
    await this.pass();
  }

  /**
   * Runs a child that hears of every pause while it runs.
   * @param start begins it with `isPaused: gate.state` among its arguments
   */
  async runChild<T extends Workflow>(
    start: () => Promise<ChildWorkflowHandle<T>>,
  ): Promise<WorkflowResultType<T>> {
    const told = this.isPaused;
    const child = await start();
    this.children.add(child);
    try {
      if (told !== this.isPaused) await this.tell(child);
      return await child.result();
    } finally {
      this.children.delete(child);
    }
  }

  /** Children hear of an unpause also where this workflow was not paused: they may hold by themselves. */
  private async set(isPaused: boolean): Promise<void> {
    const hasChanged = this.isPaused !== isPaused;
    this.isPaused = isPaused;
    await Promise.all([...this.children].map((child) => this.tell(child)));
    if (hasChanged) await this.report();
  }

  /** One report after the other, of what is then the case, and none of what has been reported. */
  private async report(): Promise<void> {
    this.reports = this.reports.then(async () => {
      if (this.reported === this.isPaused) return;
      this.reported = this.isPaused;
      // Said also while the bench is being cancelled: a handler that fails would end it before its results are written.
      await CancellationScope.nonCancellable(() => this.onChange(this.isPaused)).catch(() => {});
    });
    await this.reports;
  }

  private async tell(child: ChildWorkflowHandle<Workflow>): Promise<void> {
    // A child that has ended meanwhile has nothing left to pause.
    await child.signal(this.isPaused ? pauseSignal : unpauseSignal).catch(() => {});
  }
}
