import { setTimeout as sleep } from 'node:timers/promises';
import { WorkerProcess, type WorkerSettings } from './worker-process';

/** A worker with somebody who starts it again, as a service manager would. */
export class SupervisedWorker {
  starts = 0;
  /** Ends that nobody here had asked for: a worker that gave up while a server was away. */
  endsOfItsOwn = 0;
  private worker: WorkerProcess;
  private isKilling = false;
  private isStopped = false;
  private readonly watching: Promise<void>;

  /** @param tell is told the last words of a worker that ended of its own */
  constructor(
    private readonly settings: WorkerSettings,
    private readonly tell: (line: string) => void,
  ) {
    this.worker = this.start();
    this.watching = this.watch().catch(() => {}); // none is started any more
  }

  async untilReady(): Promise<void> {
    await this.untilAtWork(0);
  }

  /** Until one has taken work for so long, however many have ended before it. */
  async untilAtWork(forMs: number): Promise<void> {
    while (!this.isStopped) {
      const { worker } = this;
      const isReady = await worker.untilReady().then(
        () => true,
        () => false,
      );
      await sleep(isReady ? forMs : 100);
      if (isReady && worker === this.worker && worker.isRunning) return;
    }
  }

  /** kill -9; the next one is started at once. */
  async kill(): Promise<void> {
    this.isKilling = true;
    await this.worker.kill();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.worker.kill();
    await this.watching;
  }

  private start(): WorkerProcess {
    this.starts += 1;
    return WorkerProcess.start(this.settings);
  }

  private async watch(): Promise<void> {
    for (;;) {
      await this.worker.untilEnded();
      if (this.isStopped) return;
      if (!this.isKilling) {
        this.endsOfItsOwn += 1;
        this.tell(`the worker ended: ${this.worker.lastLine}`);
        await sleep(1_000);
      }
      this.isKilling = false;
      this.worker = this.start();
    }
  }
}
