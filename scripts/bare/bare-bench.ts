import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { WorkerProcess } from '../chaos/worker-process';

const NOOPS = 600;
const WARM_UPS = 4;

export interface BareBed {
  client: Client;
  temporalAddress: string;
  logFile: string;
}

/**
 * What Temporal alone takes for the steps of a bench: the same server, activities without rows, ledger or HTTP. It runs
 * in a worker process of its own, again and again.
 */
export class BareBench {
  private constructor(
    private readonly client: Client,
    private readonly taskQueue: string,
    private readonly worker: WorkerProcess,
  ) {}

  static async start({ client, temporalAddress, logFile }: BareBed): Promise<BareBench> {
    const taskQueue = `bare-${randomBytes(6).toString('hex')}`;
    const env = {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      TEMPORAL_ADDRESS: temporalAddress,
      CO_SCIENTIST_TASK_QUEUE: taskQueue,
    };
    const worker = WorkerProcess.startProgram(join(__dirname, 'bare-worker.ts'), env, logFile);
    await worker.untilReady();
    const bare = new BareBench(client, taskQueue, worker);
    await bare.time('noops', 100, 50); // the first are slower
    return bare;
  }

  /** @returns no-op activities a second: a flat workflow with a window of them in flight */
  async noopsPerSecond(window: number): Promise<number> {
    return (1_000 * NOOPS) / (await this.time('noops', NOOPS, window));
  }

  /**
   * @param waves activities of each, which do nothing but wait
   * @returns milliseconds
   */
  async wavesMs(waves: readonly number[], window: number, latencyMs: number): Promise<number> {
    return this.time('waits', waves, window, latencyMs);
  }

  /**
   * @param callsOfTurn tools that each turn of each slot calls, which do nothing; a model's turn waits
   * @returns milliseconds
   */
  async generationsMs(slots: number, callsOfTurn: readonly number[], latencyMs: number): Promise<number> {
    for (let i = 1; i <= WARM_UPS; i += 1) await this.time('talks', slots, callsOfTurn, 0);
    return this.time('talks', slots, callsOfTurn, latencyMs);
  }

  async stop(): Promise<void> {
    await this.worker.kill();
  }

  private async time(workflow: string, ...args: unknown[]): Promise<number> {
    const startedAt = performance.now();
    await this.client.workflow.execute(workflow, {
      taskQueue: this.taskQueue,
      workflowId: `${this.taskQueue}-${randomBytes(3).toString('hex')}`,
      args,
    });
    return performance.now() - startedAt;
  }
}
