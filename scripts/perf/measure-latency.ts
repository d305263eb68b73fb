import {
  type BenchSize,
  countActivities,
  countMatches,
  countWaves,
  runsOf,
  timeBench,
  WINDOW,
} from './direct-bench';
import type { Measurement } from './measurement';
import type { PerfBed } from './perf-bed';

const RUNS = [
  { latencyMs: 200, mostRatio: 1.5, countsActivities: true },
  { latencyMs: 1_000, mostRatio: 1.25, countsActivities: false },
];

/** (a) A bench that waits for its models: held against its critical path, or what the server can take if that is more. */
export async function measureLatency(perf: PerfBed, size: BenchSize): Promise<Measurement[]> {
  const lines: Measurement[] = [];
  let rateBefore = await perf.noop.ratePerSecond();
  for (const { latencyMs, mostRatio, countsActivities } of RUNS) {
    perf.double.setLatencyMs(latencyMs);
    const timed = await timeBench(perf.client, perf.taskQueue, perf.double, size);
    const rateAfter = await perf.noop.ratePerSecond();
    const activities = await countActivities(perf.client, await runsOf(perf.client, timed));
    const pathMs = countWaves(size) * latencyMs;
    const serverMs = (1_000 * activities) / ((rateBefore + rateAfter) / 2);
    const isServer = countsActivities && serverMs > pathMs;
    lines.push({
      part: 'a',
      what: `${countMatches(size)} matches × 2 orders, ${WINDOW} in flight, models answer after ${latencyMs} ms`,
      measured: `${seconds(timed.wallMs)} in all`,
      against: isServer
        ? `${activities} activities at the no-op rate: ${seconds(serverMs)}`
        : `critical path ${countWaves(size)} × ${latencyMs} ms = ${seconds(pathMs)}`,
      ratio: timed.wallMs / (isServer ? serverMs : pathMs),
      bound: { kind: 'at most', ratio: mostRatio },
    });
    rateBefore = rateAfter;
  }
  perf.double.setLatencyMs(0);
  return lines;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`;
}
