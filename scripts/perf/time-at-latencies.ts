import {
  type BenchSize,
  countActivities,
  countWaves,
  runsOf,
  sizesOfWaves,
  timeBench,
  WINDOW,
} from './direct-bench';
import type { PerfBed } from './perf-bed';

/** A bench over models of one latency, with what it could be held against. */
export interface LatencyRun {
  latencyMs: number;
  wallMs: number;
  activities: number;
  /** No-op activities a second of the same server, before and after. */
  ratePerSecond: number;
  /** Waves of calls × latency. */
  pathMs: number;
  /** So many activities at that rate. */
  serverMs: number;
  /** The same waves of activities that only wait. */
  bareMs: number;
}

/** One bench after the other, with a no-op run before, between and after them. */
export async function timeAtLatencies(
  { client, double, bare, taskQueue }: PerfBed,
  size: BenchSize,
  latencies: readonly number[],
): Promise<LatencyRun[]> {
  const runs: LatencyRun[] = [];
  let rateBefore = await bare.noopsPerSecond(WINDOW);
  for (const latencyMs of latencies) {
    double.setLatencyMs(latencyMs);
    const timed = await timeBench(client, taskQueue, double, size);
    const rateAfter = await bare.noopsPerSecond(WINDOW);
    const activities = await countActivities(client, await runsOf(client, timed));
    const ratePerSecond = (rateBefore + rateAfter) / 2;
    const pathMs = countWaves(size) * latencyMs;
    const serverMs = (1_000 * activities) / ratePerSecond;
    const bareMs = await bare.wavesMs(sizesOfWaves(size), WINDOW, latencyMs);
    const { wallMs } = timed;
    runs.push({ latencyMs, wallMs, activities, ratePerSecond, pathMs, serverMs, bareMs });
    rateBefore = rateAfter;
  }
  double.setLatencyMs(0);
  return runs;
}
