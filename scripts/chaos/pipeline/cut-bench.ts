import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, WorkflowHandle } from '@temporalio/client';
import type { BenchInput } from '../../../core/bench-input';
import { candidateId, candidateScope, generationKey, hypothesisId } from '../../../core/ids';
import type { Database } from '../../../db/database';
import { readRecordedBench } from '../../../db/export-reads';
import { holdRow, type RowHold } from '../../../db/row-hold';
import { findChildId, hasCompleted, historySize } from '../history';
import type { JournalEntry } from '../journal-double';
import { TOOL_CALLS, TURNS } from './conversation';
import { type Cut, describeCut } from './cuts';

/** What a generation came to, whatever was done to it. */
export interface CutResult {
  cut: Cut | null;
  /** Everything of the hypothesis that is a result: its record, its citations, its tools' answers. */
  hypothesis: string;
  /** Attempts of generation calls: each was paid for. */
  paidCalls: number;
  inDoubt: number;
  toolCalls: number;
  history: { events: number; bytes: number };
  wallMs: number;
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

/** Where a bench of a lane runs. */
export interface CutPlace {
  client: Client;
  taskQueue: string;
  databaseUrl: string;
  db: Database;
  /** Settles when the worker has been killed. */
  killed: Promise<void>;
}

/** A bench that comes to its cut and stays there: its worker is then to be killed by whoever runs it. */
export class CutBench {
  private readonly startedAt = performance.now();
  private handle: WorkflowHandle | null = null;
  private hold: RowHold | null = null;
  private wasAtTurn = (): void => {};
  private readonly atTurn = new Promise<void>((resolve) => {
    this.wasAtTurn = resolve;
  });
  private arrive = (): void => {};
  private fail = (_: unknown): void => {};
  /** Settles when the bench is at its cut, or with what kept it from there. */
  readonly isAtCut = new Promise<void>((resolve, reject) => {
    this.arrive = resolve;
    this.fail = reject;
  });

  constructor(
    private readonly place: CutPlace,
    readonly benchId: string,
    readonly cut: Cut | null,
  ) {
    this.isAtCut.catch(() => {}); // told to whoever waits for it
  }

  async start(): Promise<void> {
    const { client, taskQueue } = this.place;
    const workflowId = `bench-${this.benchId}`;
    this.handle = await client.workflow.start('bench', { taskQueue, workflowId, args: [INPUT] });
    if (this.cut?.at === 'completed') void this.untilCompleted(this.cut).then(this.arrive, this.fail);
  }

  /** Called by the double before it answers a request of this bench. */
  async before({ callId }: JournalEntry): Promise<void> {
    const { cut } = this;
    const turn = Number(/\/turn\/(\d+)#1$/.exec(callId)?.[1]);
    if (!cut || Number.isNaN(turn)) return;
    if (turn === cut.turn) this.wasAtTurn();
    // Nothing goes on beyond the cut before it is made.
    if (turn > cut.turn) await this.place.killed;
    if (turn !== cut.turn || cut.at === 'completed') return;
    if (cut.at === 'asked') {
      this.arrive();
      await this.place.killed;
    } else await this.stopAtStatement(cut.at);
  }

  /** After the kill: what waited for the row held has died with its worker. @throws when the cut fell elsewhere */
  async afterKill(): Promise<void> {
    const { cut, hold } = this;
    if (!cut || !hold || cut.at === 'completed') return;
    await hold.endWaiting();
    await hold.release();
    this.hold = null;
    const key = generationKey(this.slotId, cut.turn);
    const calls = this.place.db.selectFrom('bench_llm_calls').select('state').where('key', '=', key);
    const state = (await calls.executeTakeFirst())?.state;
    const expected = cut.at === 'answered' ? 'sent' : 'settled';
    if (state !== expected) throw new Error(`${describeCut(cut)}: the call was ${state}`);
  }

  async result(): Promise<CutResult> {
    await this.handle?.result();
    const wallMs = Math.round(performance.now() - this.startedAt);
    const { hypotheses, calls } = await readRecordedBench(this.place.db, this.benchId);
    const slot = hypotheses.find(({ id }) => id === this.slotId);
    if (!slot) throw new Error(`${this.benchId}: no slot of ${LABEL}`);
    const paid = calls.filter(({ key }) => key.startsWith(`${slot.id}/turn/`));
    const { id: _, publicId: __, candidateId: ___, ...kept } = slot;
    const toolCalls = slot.toolCalls.map(({ latencyMs: _, cache: __, ...call }) => call);
    return {
      cut: this.cut,
      hypothesis: JSON.stringify({ ...kept, toolCalls }).replaceAll(this.benchId, 'BENCH'),
      paidCalls: paid.length,
      inDoubt: paid.filter(({ state }) => state === 'in_doubt').length,
      toolCalls: toolCalls.filter(({ outcome }) => outcome !== null).length,
      history: await historySize(this.place.client, await this.slotWorkflow()),
      wallMs,
    };
  }

  async close(): Promise<void> {
    await this.hold?.release();
    this.hold = null;
  }

  private get slotId(): string {
    return hypothesisId(candidateId(this.benchId, LABEL), 1);
  }

  /** Holds the row that the step after the answer needs; the answer goes out, the step begins, and there it stops. */
  private async stopAtStatement(at: 'answered' | 'settled'): Promise<void> {
    const { databaseUrl } = this.place;
    const scope = candidateScope(candidateId(this.benchId, LABEL));
    this.hold = await (at === 'answered'
      ? holdRow(databaseUrl, 'bench_budgets', scope)
      : holdRow(databaseUrl, 'bench_hypotheses', this.slotId));
    void this.untilWaiting(this.hold).then(this.arrive, this.fail);
  }

  private async untilWaiting(hold: RowHold): Promise<void> {
    while ((await hold.waiting()).length === 0) await sleep(5);
  }

  private async untilCompleted(cut: Extract<Cut, { at: 'completed' }>): Promise<void> {
    await this.atTurn;
    const workflowId = await this.slotWorkflow();
    const isWanted = (input: Record<string, unknown>): boolean =>
      input.turn === cut.turn && (cut.activity === 'takeModelTurn' || input.index === cut.index);
    while (!(await hasCompleted(this.place.client, workflowId, cut.activity, isWanted))) await sleep(10);
  }

  /** The `hypothesis` workflow's id, once it runs. */
  private async slotWorkflow(): Promise<string> {
    const { client } = this.place;
    for (;;) {
      const candidate = await findChildId(client, `bench-${this.benchId}`, CANDIDATE);
      const slot = candidate && (await findChildId(client, candidate, SLOT));
      if (slot) return slot;
      await sleep(10);
    }
  }
}
