import { randomBytes } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { ulid } from 'ulid';
import { type Database, openDatabase } from '../../../db/database';
import type { BundleVariable } from '../../stack/cached-workflow-bundle';
import { type JournalDouble, type JournalEntry, startJournalDouble } from '../journal-double';
import type { Site } from '../lab';
import { WorkerProcess } from '../worker-process';
import { answerTurn } from './conversation';
import { CutBench, type CutResult } from './cut-bench';
import type { Cut } from './cuts';

/** Where cut runs take place. */
export interface CutBed {
  client: Client;
  site: Site;
  workflowBundle: BundleVariable;
  leaseSeconds: number;
  logFile: string;
}

/**
 * One worker process after the other: each is killed at a cut, and the next finishes what it left and begins what is
 * cut next.
 */
export class Lane {
  workerStarts = 0;
  private readonly taskQueue = `cut-${randomBytes(6).toString('hex')}`;
  private readonly benches = new Map<string, CutBench>();
  private readonly db: Database;
  private worker: WorkerProcess | null = null;
  private wasKilled = (): void => {};
  private killed: Promise<void> = Promise.resolve();

  private constructor(
    private readonly bed: CutBed,
    private readonly double: JournalDouble,
  ) {
    this.db = openDatabase(bed.site.databaseUrl, { maxConnections: 2 });
  }

  static async open(bed: CutBed): Promise<Lane> {
    const before = async (entry: JournalEntry): Promise<null> => {
      await lane.benches.get(entry.callId.slice(0, entry.callId.indexOf('/')))?.before(entry);
      return null;
    };
    const lane: Lane = new Lane(bed, await startJournalDouble({ answer: answerTurn, before }));
    await lane.startWorker();
    return lane;
  }

  /** A generation that nothing disturbs. */
  async runUndisturbed(): Promise<CutResult> {
    const bench = this.addBench(null);
    await bench.start();
    return bench.result();
  }

  /**
   * Generations side by side, each brought to its cut; then their worker is killed, once, and another ends them.
   * @param cuts at most one at a completion, which does not stay where it is: it is begun when the others are there
   */
  async runCuts(cuts: readonly Cut[]): Promise<CutResult[]> {
    const benches = cuts.map((cut) => this.addBench(cut));
    const isMoving = ({ cut }: CutBench): boolean => cut?.at === 'completed';
    for (const group of [benches.filter((bench) => !isMoving(bench)), benches.filter(isMoving)]) {
      await Promise.all(group.map((bench) => bench.start()));
      await Promise.race([Promise.all(group.map(({ isAtCut }) => isAtCut)), this.endOfWorker()]);
    }
    await this.worker?.kill();
    this.wasKilled();
    await Promise.all(benches.map((bench) => bench.afterKill()));
    await this.startWorker();
    return Promise.all(benches.map((bench) => Promise.race([bench.result(), this.endOfWorker()])));
  }

  async close(): Promise<void> {
    await this.worker?.kill();
    for (const bench of this.benches.values()) await bench.close();
    await this.double.stop();
    await this.db.destroy();
  }

  private addBench(cut: Cut | null): CutBench {
    const { client, site } = this.bed;
    const place = { client, taskQueue: this.taskQueue, databaseUrl: site.databaseUrl, db: this.db };
    const bench = new CutBench({ ...place, killed: this.killed }, `bnc_${ulid()}`, cut);
    this.benches.set(bench.benchId, bench);
    return bench;
  }

  private async startWorker(): Promise<void> {
    this.killed = new Promise((resolve) => {
      this.wasKilled = resolve;
    });
    this.workerStarts += 1;
    this.worker = WorkerProcess.start({
      ...this.bed,
      taskQueue: this.taskQueue,
      providers: this.double.env.compatible,
      hasGrader: false,
    });
    await this.worker.untilReady();
  }

  private async endOfWorker(): Promise<never> {
    const { worker } = this;
    await worker?.untilEnded();
    throw new Error(`the worker ended by itself: ${worker?.lastLine}`);
  }
}
