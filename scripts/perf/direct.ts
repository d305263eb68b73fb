import { randomBytes } from 'node:crypto';
import type { Client } from '@temporalio/client';
import type { BenchInput } from '../../core/bench-input';
import type { BenchSummary } from '../../core/bench-summary';
import { plainTable } from '../bench/plain-table';
import { type Bed, inLab } from '../chaos/in-lab';
import { WorkerProcess } from '../chaos/worker-process';
import { type FastDouble, startFastDouble } from './fast-double';
import { NoopBench } from './noop-rate';

/**
 * How long a bench takes that does nothing but wait for its models: 8 direct candidates, n = 2, 8 matches a pair,
 * 50 verdicts in flight, over an HTTP double; held against the least it could take. Exits 1 when it takes too much.
 *
 *   npm run perf:direct
 */
const CANDIDATES = 8;
const N = 2;
const MATCHES = 8;
const WINDOW = 50;
const PAIRS = (CANDIDATES * (CANDIDATES - 1)) / 2;
const VERDICTS = PAIRS * MATCHES * 2;
/** All slots of all candidates at once, then all their reviews, then a window of verdicts after the other. */
const WAVES = 1 + 1 + Math.ceil(VERDICTS / WINDOW);

const RUNS: { latencyMs: number; mostRatio: number; countsActivities: boolean }[] = [
  { latencyMs: 1_000, mostRatio: 1.4, countsActivities: false },
  { latencyMs: 200, mostRatio: 1.5, countsActivities: true },
];

interface Timed {
  wallMs: number;
  activities: number;
}

async function main(): Promise<void> {
  const isFast = await inLab(async (bed) => {
    const double = await startFastDouble();
    const taskQueue = `perf-${randomBytes(6).toString('hex')}`;
    const worker = WorkerProcess.start({
      site: await bed.lab.createSite(),
      taskQueue,
      providers: double.env,
      workflowBundle: bed.workflowBundle,
      leaseSeconds: 9,
      hasGrader: false,
      logFile: bed.logFile,
    });
    const noop = await NoopBench.start(bed);
    try {
      await worker.untilReady();
      await timeBench(bed.client, taskQueue, double, { ...input(2), matches: 4 }); // the first is slower
      return await runAll(bed, taskQueue, double, noop);
    } finally {
      await Promise.all([worker.kill(), noop.stop(), double.stop()]);
    }
  });
  if (!isFast) process.exitCode = 1;
}

async function runAll(bed: Bed, taskQueue: string, double: FastDouble, noop: NoopBench): Promise<boolean> {
  const rows: string[][] = [];
  let isFast = true;
  let rateBefore = await noop.ratePerSecond();
  for (const { latencyMs, mostRatio, countsActivities } of RUNS) {
    double.setLatencyMs(latencyMs);
    const { wallMs, activities } = await timeBench(bed.client, taskQueue, double, input(CANDIDATES));
    const rateAfter = await noop.ratePerSecond();
    const rate = (rateBefore + rateAfter) / 2;
    const pathMs = WAVES * latencyMs;
    const serverMs = (1_000 * activities) / rate;
    const leastMs = countsActivities ? Math.max(pathMs, serverMs) : pathMs;
    const ratio = wallMs / leastMs;
    isFast &&= ratio <= mostRatio;
    rows.push([
      `${latencyMs} ms`,
      `${WAVES} × ${latencyMs} = ${pathMs} ms`,
      `${activities} ÷ ${rate.toFixed(0)}/s = ${serverMs.toFixed(0)} ms`,
      countsActivities ? 'the greater' : 'the path',
      `${wallMs.toFixed(0)} ms`,
      `${ratio.toFixed(2)} (at most ${mostRatio})`,
    ]);
    rateBefore = rateAfter;
  }
  const names = ['latency', 'critical path', 'activities ÷ no-op rate', 'held against', 'wall', 'ratio'];
  console.log(`${CANDIDATES} direct candidates, n ${N}, ${MATCHES} matches a pair, ${WINDOW} in flight:`);
  console.log(`waves = 1 of generation + 1 of reviews + ⌈${VERDICTS} verdicts ÷ ${WINDOW}⌉ = ${WAVES}\n`);
  console.log(
    plainTable(
      names.map((name) => ({ name })),
      rows,
      (text) => text,
    ),
  );
  return isFast;
}

function input(candidates: number): BenchInput {
  return {
    goal: 'Find an approved drug that could be tried against leukaemic stem cells.',
    candidates: Array.from(
      { length: candidates },
      (_, i) => `c${i + 1}=openai-compatible:model-${i + 1}@direct`,
    ),
    judge: 'openai-compatible:judge',
    prices: Object.fromEntries(
      ['judge', ...Array.from({ length: candidates }, (_, i) => `model-${i + 1}`)].map((model) => [
        `openai-compatible:${model}`,
        { inputUsdPerMTok: 1, outputUsdPerMTok: 5 },
      ]),
    ),
    budgetPerCandidateUsd: 100,
    judgeBudgetUsd: 1_000,
    goldSet: 'none',
    n: N,
    matches: MATCHES,
    maxInFlight: WINDOW,
    probe: false,
  };
}

async function timeBench(
  client: Client,
  taskQueue: string,
  double: FastDouble,
  bench: BenchInput,
): Promise<Timed> {
  const before = double.requests();
  const workflowId = `${taskQueue}-${randomBytes(3).toString('hex')}`;
  const startedAt = performance.now();
  const options = { taskQueue, workflowId, args: [bench] };
  const summary = (await client.workflow.execute('bench', options)) as BenchSummary;
  const wallMs = performance.now() - startedAt;
  const calls = double.requests() - before;
  const hypotheses = summary.candidates.length * N;
  if (calls !== hypotheses * 2 + summary.judge.verdicts)
    throw new Error(`${calls} calls: not the bench meant`);
  return { wallMs, activities: await countActivities(client, workflowId, summary.benchId) };
}

/** Of the bench's workflow and all its children. */
async function countActivities(client: Client, workflowId: string, benchId: string): Promise<number> {
  const ids = [workflowId];
  const query = `WorkflowId STARTS_WITH "${benchId}/"`;
  for await (const workflow of client.workflow.list({ query })) ids.push(workflow.workflowId);
  let activities = 0;
  for (const id of ids) {
    const { events } = await client.workflow.getHandle(id).fetchHistory();
    activities += (events ?? []).filter((event) => event.activityTaskScheduledEventAttributes).length;
  }
  return activities;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
