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
  const latencies = RUNS.map(({ latencyMs }) => latencyMs);
  const timed = await timeAtLatencies(perf, size, latencies);
  return timed.map(({ latencyMs, wallMs, activities, pathMs, serverMs }, i) => {
    const { mostRatio, countsActivities } = RUNS[i]!;
    const isServer = countsActivities && serverMs > pathMs;
    return {
      part: 'a',
      what: `${countMatches(size)} matches × 2 orders, ${WINDOW} in flight, models answer after ${latencyMs} ms`,
      measured: `${seconds(wallMs)} in all`,
      against: isServer
        ? `${activities} activities at the no-op rate: ${seconds(serverMs)}`
        : `critical path ${countWaves(size)} × ${latencyMs} ms = ${seconds(pathMs)}`,
      ratio: wallMs / (isServer ? serverMs : pathMs),
      bound: { kind: 'at most', ratio: mostRatio },
    };
  });
}

/** A bench over models of one latency, with what it could be held against. */
interface LatencyRun {
  latencyMs: number;
  wallMs: number;
  activities: number;
  /** Waves of calls × latency. */
  pathMs: number;
  /** So many activities at the no-op rate of the same server, before and after. */
  serverMs: number;
}

/** One bench after the other, with a no-op run before, between and after them. */
async function timeAtLatencies(
  { client, double, noop, taskQueue }: PerfBed,
  size: BenchSize,
  latencies: readonly number[],
): Promise<LatencyRun[]> {
  const runs: LatencyRun[] = [];
  let rateBefore = await noop.ratePerSecond();
  for (const latencyMs of latencies) {
    double.setLatencyMs(latencyMs);
    const timed = await timeBench(client, taskQueue, double, size);
    const rateAfter = await noop.ratePerSecond();
    const activities = await countActivities(client, await runsOf(client, timed));
    const pathMs = countWaves(size) * latencyMs;
    const serverMs = (1_000 * activities) / ((rateBefore + rateAfter) / 2);
    runs.push({ latencyMs, wallMs: timed.wallMs, activities, pathMs, serverMs });
    rateBefore = rateAfter;
  }
  double.setLatencyMs(0);
  return runs;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`;
}
