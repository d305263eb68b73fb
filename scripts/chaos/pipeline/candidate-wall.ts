import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChatCompletionRequest } from '@copilotkit/aimock';
import type { Client } from '@temporalio/client';
import { simHypothesis } from '../../../activities/providers/sim-hypothesis';
import type { BenchInput } from '../../../core/bench-input';
import { randomFrom } from '../../../core/random';
import { openDatabase } from '../../../db/database';
import { readRecordedBench } from '../../../db/export-reads';
import { BareBench } from '../../bare/bare-bench';
import { findChildId } from '../history';
import { startJournalDouble } from '../journal-double';
import { callAnswer, countModelTurns, type ModelAnswer } from '../model-answer';
import { WorkerProcess } from '../worker-process';
import { answerTurn, callsOfTurn, TOOL_CALLS, TURNS } from './conversation';
import type { CutBed } from './lane';

/** How long one candidate takes that makes several generations side by side. */
export interface CandidateWall {
  wallMs: number;
  /** Of the slowest generation: its model calls, and in each turn its slowest tool, one after the other. */
  criticalPathMs: number;
}

const SLOTS = 4;
const LATENCY_MS = 200;

/** A worker runs for days; in its first seconds Node compiles what it runs, on the cores that the servers want. */
const WARM_UPS = 4;

const INPUT: BenchInput = {
  goal: 'Find an approved drug that could be tried against leukaemic stem cells.',
  candidates: ['reader=openai-compatible:double@pipeline', 'beside=sim:alder@direct'],
  judge: 'sim:referee',
  reviewer: 'none',
  prices: { 'openai-compatible:double': { inputUsdPerMTok: 1, outputUsdPerMTok: 5 } },
  budgetPerCandidateUsd: 100,
  goldSet: 'none',
  n: SLOTS,
  matches: 0,
  probe: false,
  literature: 'bundled',
  generation: { maxTurns: TURNS, maxToolCalls: TOOL_CALLS },
};

/** Runs a candidate of four slots of twelve turns against models that take 200 ms. */
export async function timeCandidate(bed: CutBed): Promise<CandidateWall> {
  const taskQueue = `wall-${randomBytes(6).toString('hex')}`;
  const db = openDatabase(bed.site.databaseUrl, { maxConnections: 2 });
  const double = await startJournalDouble({
    answer: withIdeasOfItsOwn(),
    before: async () => {
      await sleep(LATENCY_MS);
      return null;
    },
  });
  const worker = WorkerProcess.start({
    ...bed,
    taskQueue,
    providers: double.env.compatible,
    hasGrader: false,
  });
  try {
    await worker.untilReady();
    const run = (workflowId: string, input: BenchInput) =>
      bed.client.workflow.execute('bench', { taskQueue, workflowId, args: [input] });
    for (let i = 1; i <= WARM_UPS; i += 1) await run(`${taskQueue}-warm-${i}`, INPUT);
    const { benchId } = (await run(taskQueue, INPUT)) as { benchId: string };
    const { hypotheses, calls } = await readRecordedBench(db, benchId);
    const paths = hypotheses
      .filter(({ toolCalls }) => toolCalls.length > 0)
      .map(({ id, toolCalls }) => {
        const turns = calls.filter(({ key }) => key.startsWith(`${id}/turn/`));
        const tools = turns.map((_, i) =>
          Math.max(0, ...toolCalls.filter((t) => t.turn === i + 1).map((t) => t.latencyMs ?? 0)),
        );
        return sum(turns.map(({ latencyMs }) => latencyMs ?? 0)) + sum(tools);
      });
    if (paths.length !== SLOTS) throw new Error(`${paths.length} generations, not ${SLOTS}`);
    return { wallMs: await candidateMs(bed.client, taskQueue), criticalPathMs: Math.max(...paths) };
  } finally {
    await worker.kill();
    await double.stop();
    await db.destroy();
  }
}

/** What Temporal alone takes for that many turns and tools: no rows, no ledger, no HTTP. */
export async function timeBare({ client, site, logFile }: CutBed): Promise<CandidateWall> {
  const bare = await BareBench.start({ client, temporalAddress: site.temporalAddress, logFile });
  try {
    const calls = Array.from({ length: TURNS }, (_, i) => callsOfTurn(i + 1));
    return { wallMs: await bare.generationsMs(SLOTS, calls, LATENCY_MS), criticalPathMs: TURNS * LATENCY_MS };
  } finally {
    await bare.stop();
  }
}

/** The scripted reader, but each slot ends with another idea: equal ones would be asked for again. */
function withIdeasOfItsOwn(): (request: ChatCompletionRequest) => ModelAnswer {
  let ideas = 0;
  return (request) => {
    if (countModelTurns(request) + 1 < TURNS) return answerTurn(request);
    ideas += 1;
    const { fullText, ...record } = simHypothesis(randomFrom(ideas, 'idea'), 0, []);
    return callAnswer(request, [
      { tool: 'record_hypothesis', arguments: { ...record, full_text: fullText } },
    ]);
  };
}

async function candidateMs(client: Client, benchWorkflowId: string): Promise<number> {
  const id = await findChildId(client, benchWorkflowId, /\/reader-[0-9a-f]+$/);
  const { startTime, closeTime } = await client.workflow.getHandle(id ?? '').describe();
  return (closeTime?.getTime() ?? Number.NaN) - startTime.getTime();
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
