import { plainTable } from '../bench/plain-table';
import { inLab } from '../chaos/in-lab';
import { type BenchSize, countMatches, countWaves, WINDOW } from './direct-bench';
import { onPerfBed, type PerfBed, warmUp } from './perf-bed';
import { timeAtLatencies } from './time-at-latencies';

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
  const isFast = await inLab((bed) =>
    onPerfBed(bed, async (perf) => {
      await warmUp(perf, SIZE);
      return runAll(perf);
    }),
  );
  if (!isFast) process.exitCode = 1;
}

async function runAll(perf: PerfBed): Promise<boolean> {
  const rows: string[][] = [];
  const waves = countWaves(SIZE);
  let isFast = true;
  const latencies = RUNS.map(({ latencyMs }) => latencyMs);
  for (const [i, timed] of (await timeAtLatencies(perf, SIZE, latencies)).entries()) {
    const { mostRatio, countsActivities } = RUNS[i]!;
    const { latencyMs, wallMs, activities, ratePerSecond, pathMs, serverMs, bareMs } = timed;
    const ratio = wallMs / (countsActivities ? Math.max(pathMs, serverMs) : pathMs);
    isFast &&= ratio <= mostRatio;
    rows.push([
      `${latencyMs} ms`,
      `${waves} × ${latencyMs} = ${pathMs} ms`,
      `${activities} ÷ ${ratePerSecond.toFixed(0)}/s = ${serverMs.toFixed(0)} ms`,
      countsActivities ? 'the greater' : 'the path',
      `${wallMs.toFixed(0)} ms`,
      `${ratio.toFixed(2)} (at most ${mostRatio})`,
      `${bareMs.toFixed(0)} ms = ${(bareMs / pathMs).toFixed(2)} × the path`,
    ]);
  }
  const names = [
    'latency',
    'critical path',
    'activities ÷ no-op rate',
    'held against',
    'wall',
    'ratio',
    'bare activities',
  ];
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
