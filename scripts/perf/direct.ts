import { randomBytes } from 'node:crypto';
import { plainTable } from '../bench/plain-table';
import { type Bed, inLab } from '../chaos/in-lab';
import { WorkerProcess } from '../chaos/worker-process';
import {
  type BenchSize,
  countActivities,
  countMatches,
  countWaves,
  runsOf,
  timeBench,
  WINDOW,
} from './direct-bench';
import { type FastDouble, startFastDouble } from './fast-double';
import { NoopBench } from './noop-rate';

/**
 * How long a bench takes that does nothing but wait for its models: 8 direct candidates, n = 2, 8 matches a pair,
 * 50 verdicts in flight, over an HTTP double; held against the least it could take. Exits 1 when it takes too much.
 *
 *   npm run perf:direct
 */
const SIZE: BenchSize = { candidates: 8, n: 2, matches: 8 };

const RUNS: { latencyMs: number; mostRatio: number; countsActivities: boolean }[] = [
  { latencyMs: 1_000, mostRatio: 1.4, countsActivities: false },
  { latencyMs: 200, mostRatio: 1.5, countsActivities: true },
];

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
      await timeBench(bed.client, taskQueue, double, { candidates: 2, n: 2, matches: 4 }); // the first is slower
      return await runAll(bed, taskQueue, double, noop);
    } finally {
      await Promise.all([worker.kill(), noop.stop(), double.stop()]);
    }
  });
  if (!isFast) process.exitCode = 1;
}

async function runAll(bed: Bed, taskQueue: string, double: FastDouble, noop: NoopBench): Promise<boolean> {
  const rows: string[][] = [];
  const waves = countWaves(SIZE);
  let isFast = true;
  let rateBefore = await noop.ratePerSecond();
  for (const { latencyMs, mostRatio, countsActivities } of RUNS) {
    double.setLatencyMs(latencyMs);
    const timed = await timeBench(bed.client, taskQueue, double, SIZE);
    const activities = await countActivities(bed.client, await runsOf(bed.client, timed));
    const rateAfter = await noop.ratePerSecond();
    const rate = (rateBefore + rateAfter) / 2;
    const pathMs = waves * latencyMs;
    const serverMs = (1_000 * activities) / rate;
    const leastMs = countsActivities ? Math.max(pathMs, serverMs) : pathMs;
    const ratio = timed.wallMs / leastMs;
    isFast &&= ratio <= mostRatio;
    rows.push([
      `${latencyMs} ms`,
      `${waves} × ${latencyMs} = ${pathMs} ms`,
      `${activities} ÷ ${rate.toFixed(0)}/s = ${serverMs.toFixed(0)} ms`,
      countsActivities ? 'the greater' : 'the path',
      `${timed.wallMs.toFixed(0)} ms`,
      `${ratio.toFixed(2)} (at most ${mostRatio})`,
    ]);
    rateBefore = rateAfter;
  }
  const names = ['latency', 'critical path', 'activities ÷ no-op rate', 'held against', 'wall', 'ratio'];
  const { candidates, n, matches } = SIZE;
  console.log(`${candidates} direct candidates, n ${n}, ${matches} matches a pair, ${WINDOW} in flight:`);
  const verdicts = 2 * countMatches(SIZE);
  console.log(`waves = 1 of generation + 1 of reviews + ⌈${verdicts} verdicts ÷ ${WINDOW}⌉ = ${waves}
`);
  console.log(
    plainTable(
      names.map((name) => ({ name })),
      rows,
      (text) => text,
    ),
  );
  return isFast;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
