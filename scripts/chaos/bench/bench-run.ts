import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { ulid } from 'ulid';
import type { BenchInput } from '../../../core/bench-input';
import { type Database, openDatabase } from '../../../db/database';
import type { Bed } from '../in-lab';
import type { JournalDouble } from '../journal-double';
import type { Site } from '../lab';
import { SupervisedWorker } from '../supervised-worker';
import type { WorkerSettings } from '../worker-process';
import { type Blow, LEAST_GAP_MS, type Timeline } from './timeline';

/** A blow as it fell. Times are milliseconds since 1970. */
export interface FallenBlow {
  blow: Blow;
  at: number;
}

export type WorkerLimits = Pick<WorkerSettings, 'leaseSeconds' | 'maxAttempts' | 'hasGrader'>;

/** A worker that has not yet done anything would be killed for nothing. */
const LEAST_WORK_MS = 3_000;

/** Benches one after the other with a database, queues and a worker process of their own. */
export class BenchRun {
  readonly db: Database;
  readonly fallen: FallenBlow[] = [];
  readonly worker: SupervisedWorker;
  private readonly taskQueue = `chaos-${randomBytes(6).toString('hex')}`;
  private workflowId = '';
  private bench = '';
  private workflows = 0;

  constructor(
    private readonly bed: Bed,
    site: Site,
    double: JournalDouble,
    limits: WorkerLimits,
    tell: (line: string) => void,
  ) {
    this.db = openDatabase(site.databaseUrl, { maxConnections: 3 });
    const settings: WorkerSettings = {
      ...limits,
      site,
      taskQueue: this.taskQueue,
      providers: Object.assign({}, ...Object.values(double.env)),
      workflowBundle: bed.workflowBundle,
      logFile: bed.logFile,
    };
    this.worker = new SupervisedWorker(settings, tell);
  }

  /** Of the bench that was started last. */
  get benchId(): string {
    return this.bench;
  }

  async start(input: BenchInput): Promise<void> {
    this.bench = `bnc_${ulid()}`;
    await this.startWorkflow(`bench-${this.bench}`, input);
  }

  /** Takes the bench up again, by a workflow of its own. */
  async resume(): Promise<void> {
    this.workflows += 1;
    await this.startWorkflow(`${this.taskQueue}-${this.workflows}`, { resume: this.bench });
  }

  private async startWorkflow(workflowId: string, input: BenchInput): Promise<void> {
    this.workflowId = workflowId;
    const options = {
      taskQueue: this.taskQueue,
      workflowId,
      workflowIdConflictPolicy: 'USE_EXISTING' as const, // asked twice where the first answer was lost
      args: [input],
    };
    await persist(() => this.bed.client.workflow.start('bench', options));
  }

  /** Lets the blows fall, each at its time. */
  async suffer({ blows }: Timeline, tell: (blow: FallenBlow) => void): Promise<void> {
    const startedAt = performance.now();
    let mayKillAt = 0;
    for (const { afterMs, blow } of blows) {
      // A blow that took long puts off those after it: no two kills come closer for that.
      const dueAt = Math.max(startedAt + afterMs, blow.kind === 'kill' ? mayKillAt : 0);
      await sleep(Math.max(0, dueAt - performance.now()));
      if (blow.kind === 'kill') await this.worker.untilAtWork(LEAST_WORK_MS);
      if (blow.kind === 'kill') mayKillAt = performance.now() + LEAST_GAP_MS;
      const fallen = { blow, at: Date.now() };
      this.fallen.push(fallen);
      tell(fallen);
      await this.strike(blow);
    }
  }

  /** Returns once the bench has ended well. @throws when its workflow fails */
  async untilFinished(): Promise<void> {
    for (;;) {
      const status = await this.client.workflow
        .getHandle(this.workflowId)
        .describe()
        .then((described) => described.status.name)
        .catch(() => 'UNKNOWN');
      if (status === 'COMPLETED') return;
      if (status === 'FAILED' || status === 'TIMED_OUT' || status === 'CANCELLED') {
        await this.client.workflow.getHandle(this.workflowId).result();
      }
      await sleep(100);
    }
  }

  async close(): Promise<void> {
    await this.worker.stop();
    await this.db.destroy();
  }

  private get client(): Client {
    return this.bed.client;
  }

  private async strike(blow: Blow): Promise<void> {
    switch (blow.kind) {
      case 'postgres':
        return this.bed.lab.restartPostgres(blow.how);
      case 'temporal':
        return this.bed.lab.restartTemporal(blow.how);
      case 'terminate':
        return this.terminate().then(() => this.resume());
      case 'kill':
        if (blow.of === 'worker') return this.worker.kill();
        await this.terminate();
        await this.worker.kill();
        await this.resume();
    }
  }

  private async terminate(): Promise<void> {
    const handle = this.client.workflow.getHandle(this.workflowId);
    await persist(() =>
      handle.terminate('chaos').catch((error: unknown) => {
        if (!(error instanceof WorkflowNotFoundError)) throw error; // it has ended already
      }),
    );
  }
}

/** Servers may be away: a person would try again, too. */
async function persist<T>(action: () => Promise<T>): Promise<T> {
  const until = Date.now() + 60_000;
  for (;;) {
    try {
      return await action();
    } catch (error) {
      if (Date.now() > until) throw error;
      await sleep(200);
    }
  }
}
