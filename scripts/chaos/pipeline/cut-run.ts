import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { BenchInput } from '../../../core/bench-input';
import { candidateId, candidateScope, generationKey, hypothesisId } from '../../../core/ids';
import { type Database, openDatabase } from '../../../db/database';
import { readRecordedBench } from '../../../db/export-reads';
import { holdRow } from '../../../db/row-hold';
import { findChildId, hasCompleted, historySize } from '../history';
import { type JournalDouble, type JournalEntry, startJournalDouble } from '../journal-double';
import type { Site } from '../lab';
import { WorkerProcess, type WorkerSettings } from '../worker-process';
import { answerTurn, TOOL_CALLS, TURNS } from './conversation';
import { type Cut, describeCut } from './cuts';

/** What a generation came to, whatever was done to it. */
export interface CutResult {
  cut: Cut | null;
  /** Everything of the hypothesis that is a result: its record, its citations, its tools' answers. */
  hypothesis: string;
  /** Attempts of generation calls by what became of them: each was paid for. */
  paidCalls: number;
  inDoubt: number;
  toolCalls: number;
  history: { events: number; bytes: number };
  wallMs: number;
  workerStarts: number;
}

/** Where cut runs take place; each has a bench and a worker process of its own. */
export interface CutBed {
  client: Client;
  site: Site;
  workflowBundle: string;
  leaseSeconds: number;
  logFile: string;
}

const LABEL = 'reader';

/** One candidate reads; a second, simulated, stands by, because a bench is of two. */
const INPUT: BenchInput = {
  goal: 'Find an approved drug that could be tried against leukaemic stem cells.',
  candidates: [`${LABEL}=openai-compatible:double@pipeline`, 'beside=sim:alder@direct'],
  judge: 'sim:referee',
  reviewer: 'none',
  prices: { 'openai-compatible:double': { inputUsdPerMTok: 1, outputUsdPerMTok: 5 } },
  goldSet: 'none',
  n: 1,
  matches: 0,
  probe: false,
  literature: 'bundled',
  generation: { maxTurns: TURNS, maxToolCalls: TOOL_CALLS },
};

const CANDIDATE = new RegExp(`/${LABEL}-[0-9a-f]+$`);
const SLOT = new RegExp(`/${LABEL}/1-[0-9a-f]+$`);

/** Runs one generation to its end; with a cut, its worker is killed there and another one started. */
export async function runCut(bed: CutBed, cut: Cut | null): Promise<CutResult> {
  const run = new CutRun(bed, cut);
  try {
    return await run.toItsEnd();
  } finally {
    await run.close();
  }
}

class CutRun {
  private readonly startedAt = performance.now();
  private readonly taskQueue = `cut-${randomBytes(6).toString('hex')}`;
  private readonly db: Database;
  private double: JournalDouble | null = null;
  private worker: WorkerProcess | null = null;
  private workerStarts = 0;
  private hasCut = false;
  private readonly cutting: Promise<void>[] = [];
  private fail: (error: unknown) => void = () => {};
  /** Settles with what went wrong with the cut. */
  private readonly trouble = new Promise<never>((_, reject) => {
    this.fail = reject;
  });

  constructor(
    private readonly bed: CutBed,
    private readonly cut: Cut | null,
  ) {
    this.db = openDatabase(bed.site.databaseUrl, { maxConnections: 2 });
  }

  async toItsEnd(): Promise<CutResult> {
    this.double = await startJournalDouble({ answer: answerTurn, before: (entry) => this.before(entry) });
    await this.startWorker();
    const handle = await this.bed.client.workflow.start('bench', {
      taskQueue: this.taskQueue,
      workflowId: this.taskQueue,
      args: [INPUT],
    });
    const ended = handle.result() as Promise<{ benchId: string }>;
    if (this.cut?.at === 'completed') this.goOn(this.cutAtCompletion(this.cut));
    const { benchId } = await Promise.race([ended, this.trouble]);
    await Promise.all(this.cutting);
    if (this.cut && !this.hasCut) throw new Error(`${describeCut(this.cut)}: never came to be`);
    return this.resultOf(benchId);
  }

  async close(): Promise<void> {
    await this.worker?.kill();
    await this.double?.stop();
    await this.db.destroy();
  }

  /** Beside the run; what goes wrong with it ends the run. */
  private goOn(cutting: Promise<void>): void {
    this.cutting.push(cutting);
    cutting.catch(this.fail);
  }

  private async startWorker(): Promise<void> {
    const { site, workflowBundle, leaseSeconds, logFile } = this.bed;
    const settings: WorkerSettings = {
      site,
      taskQueue: this.taskQueue,
      providers: this.double?.env.compatible ?? {},
      workflowBundle,
      leaseSeconds,
      hasGrader: false,
      logFile,
    };
    this.worker = WorkerProcess.start(settings);
    this.workerStarts += 1;
    await this.worker.untilReady();
  }

  /** Called by the double before it answers a request. */
  private async before(entry: JournalEntry): Promise<null> {
    const { cut } = this;
    const [, turn] = /\/turn\/(\d+)#/.exec(entry.callId) ?? [];
    if (!cut || this.hasCut) return null;
    if (cut.at === 'completed') {
      // Nothing goes on beyond the cut before it is made.
      if (Number(turn) > cut.turn) await this.untilCut();
      return null;
    }
    if (Number(turn) !== cut.turn) return null;
    if (cut.at === 'asked') {
      await this.kill();
      this.goOn(this.startWorker());
      return null;
    }
    await this.cutAtStatement(cut.at, cut.turn, entry.callId);
    return null;
  }

  /** Holds the row that the next step needs; the answer goes out, the step begins, and there the worker dies. */
  private async cutAtStatement(at: 'answered' | 'settled', turn: number, callId: string): Promise<void> {
    const benchId = callId.slice(0, callId.indexOf('/'));
    const candidate = candidateId(benchId, LABEL);
    const slot = hypothesisId(candidate, 1);
    const hold = await (at === 'answered'
      ? holdRow(this.bed.site.databaseUrl, 'bench_budgets', candidateScope(candidate))
      : holdRow(this.bed.site.databaseUrl, 'bench_hypotheses', slot));
    const cutting = async (): Promise<void> => {
      try {
        while ((await hold.waiting()).length === 0) await sleep(3);
        await this.kill();
        await hold.endWaiting();
      } finally {
        await hold.release();
      }
      const state = await this.stateOf(generationKey(slot, turn));
      const expected = at === 'answered' ? 'sent' : 'settled';
      if (state !== expected) throw new Error(`cut when ${at}, but the call was ${state}`);
      await this.startWorker();
    };
    this.goOn(cutting());
  }

  private async cutAtCompletion(cut: Extract<Cut, { at: 'completed' }>): Promise<void> {
    const workflowId = await this.slotWorkflow();
    const isWanted = (input: Record<string, unknown>): boolean =>
      input.turn === cut.turn && (cut.activity === 'takeModelTurn' || input.index === cut.index);
    while (!(await hasCompleted(this.bed.client, workflowId, cut.activity, isWanted))) await sleep(5);
    await this.kill();
    await this.startWorker();
  }

  /** The `hypothesis` workflow's id, once it runs. */
  private async slotWorkflow(): Promise<string> {
    for (;;) {
      const candidate = await findChildId(this.bed.client, this.taskQueue, CANDIDATE);
      const slot = candidate && (await findChildId(this.bed.client, candidate, SLOT));
      if (slot) return slot;
      await sleep(10);
    }
  }

  private async kill(): Promise<void> {
    this.hasCut = true;
    await this.worker?.kill();
  }

  private async untilCut(): Promise<void> {
    while (!this.hasCut) await sleep(5);
  }

  private async stateOf(key: string): Promise<string | undefined> {
    const row = await this.db
      .selectFrom('bench_llm_calls')
      .select('state')
      .where('key', '=', key)
      .executeTakeFirst();
    return row?.state;
  }

  private async resultOf(benchId: string): Promise<CutResult> {
    const { hypotheses, calls } = await readRecordedBench(this.db, benchId);
    const slot = hypotheses.find(({ candidateId: id }) => id === candidateId(benchId, LABEL));
    if (!slot) throw new Error(`${benchId}: no slot of ${LABEL}`);
    const paid = calls.filter(({ key }) => key.startsWith(`${slot.id}/turn/`));
    const { id: _, publicId: __, candidateId: ___, ...kept } = slot;
    const toolCalls = slot.toolCalls.map(({ latencyMs: _, ...call }) => call);
    return {
      cut: this.cut,
      hypothesis: JSON.stringify({ ...kept, toolCalls }).replaceAll(benchId, 'BENCH'),
      paidCalls: paid.length,
      inDoubt: paid.filter(({ state }) => state === 'in_doubt').length,
      toolCalls: toolCalls.filter(({ outcome }) => outcome !== null).length,
      history: await historySize(this.bed.client, await this.slotWorkflow()),
      wallMs: Math.round(performance.now() - this.startedAt),
      workerStarts: this.workerStarts,
    };
  }
}
