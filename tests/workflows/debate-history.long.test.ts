import type { BenchInput } from '../../core/bench-input';
import type { BenchSummary } from '../../core/bench-summary';
import { findChildId, historySize } from '../../scripts/chaos/history';
import { type BenchWorker, startBenchWorker } from './bench-worker';

/** The longest debates there are, as many at once as may be asked for: 50 matches are 1,300 calls of the judge. */
const INPUT: BenchInput = {
  goal: 'Find a drug for a disease that has none.',
  candidates: ['one=sim:birch@direct', 'two=sim:cedar@direct'],
  judge: 'sim:referee',
  ...{ verdictMode: 'debate', debateTurns: 6, maxInFlight: 100 },
  ...{ n: 8, matches: 50, judgeBudgetUsd: 1_000, reviewer: 'none', goldSet: 'none', probe: false },
};

let worker: BenchWorker;
let summary: BenchSummary;
/** Events of the tournament's runs, one after the other. */
let runs: number[];
beforeAll(async () => {
  worker = await startBenchWorker();
  const handle = await worker.start(INPUT);
  summary = (await handle.result()) as BenchSummary;
  runs = await readRuns(handle.workflowId);
}, 300_000);
afterAll(() => worker.close());

async function readRuns(benchWorkflowId: string): Promise<number[]> {
  const { client } = worker;
  const workflowId = await findChildId(client, benchWorkflowId, /\/tournament-[0-9a-f]+$/);
  const events: number[] = [];
  let runId = await firstRunOf(benchWorkflowId, workflowId ?? '');
  while (runId) {
    events.push((await historySize(client, workflowId ?? '', runId)).events);
    const { events: all } = await client.workflow.getHandle(workflowId ?? '', runId).fetchHistory();
    runId = all?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId ?? null;
  }
  return events;
}

async function firstRunOf(parentId: string, workflowId: string): Promise<string | null> {
  const { events } = await worker.client.workflow.getHandle(parentId).fetchHistory();
  const started = (events ?? []).map((event) => event.childWorkflowExecutionStartedEventAttributes);
  const child = started.find((one) => one?.workflowExecution?.workflowId === workflowId);
  return child?.workflowExecution?.runId ?? null;
}

test('100 verdicts of 12 arguments each are all there', () => {
  expect([summary.judge.verdicts, summary.judge.invalid]).toEqual([100, 0]);
});

test('of the tournament’s runs, more than one, none has 4,096 events', () => {
  expect(runs.length).toBeGreaterThan(1);
  expect(Math.max(...runs)).toBeLessThan(4_096);
  // 100 verdicts and 1,200 arguments are three events each at least.
  expect(runs.reduce((sum, events) => sum + events, 0)).toBeGreaterThan(3 * 1_300);
});
