import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Bed } from '../chaos/in-lab';
import { WorkerProcess } from '../chaos/worker-process';
import { WINDOW } from './direct-bench';

const COUNT = 600;

/** Runs no-op activities through a server, again and again, in a worker process of its own. */
export class NoopBench {
  private constructor(
    private readonly bed: Bed,
    private readonly taskQueue: string,
    private readonly worker: WorkerProcess,
  ) {}

  static async start(bed: Bed): Promise<NoopBench> {
    const taskQueue = `noop-${randomBytes(6).toString('hex')}`;
    const env = {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      TEMPORAL_ADDRESS: bed.lab.temporalAddress,
      CO_SCIENTIST_TASK_QUEUE: taskQueue,
    };
    const worker = WorkerProcess.startProgram(join(__dirname, 'noop-worker.ts'), env, bed.logFile);
    await worker.untilReady();
    const noop = new NoopBench(bed, taskQueue, worker);
    await noop.run(100); // the first are slower
    return noop;
  }

  /** No-op activities a second, flat workflow, 50 in flight. */
  async ratePerSecond(): Promise<number> {
    return COUNT / (await this.run(COUNT));
  }

  async stop(): Promise<void> {
    await this.worker.kill();
  }

  /** @returns seconds */
  private async run(count: number): Promise<number> {
    const startedAt = performance.now();
    await this.bed.client.workflow.execute('noops', {
      taskQueue: this.taskQueue,
      workflowId: `${this.taskQueue}-${randomBytes(3).toString('hex')}`,
      args: [count, WINDOW],
    });
    return (performance.now() - startedAt) / 1_000;
  }
}
