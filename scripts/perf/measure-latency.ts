import { type BenchSize, countMatches, countWaves, WINDOW } from './direct-bench';
import type { Measurement } from './measurement';
import type { PerfBed } from './perf-bed';
import { timeAtLatencies } from './time-at-latencies';

const RUNS = [
  { latencyMs: 200, mostRatio: 1.5, countsActivities: true },
  { latencyMs: 1_000, mostRatio: 1.25, countsActivities: false },
];

/** (a) A bench that waits for its models: held against its critical path, or what the server can take if that is more. */
export async function measureLatency(perf: PerfBed, size: BenchSize): Promise<Measurement[]> {
  const latencies = RUNS.map(({ latencyMs }) => latencyMs);
  const timed = await timeAtLatencies(perf, size, latencies);
  return timed.flatMap(({ latencyMs, wallMs, activities, pathMs, serverMs, bareMs }, i): Measurement[] => {
    const { mostRatio, countsActivities } = RUNS[i]!;
    const isServer = countsActivities && serverMs > pathMs;
    const bench: Measurement = {
      part: 'a',
      what: `${countMatches(size)} matches × 2 orders, ${WINDOW} in flight, models answer after ${latencyMs} ms`,
      measured: `${seconds(wallMs)} in all`,
      against: isServer
        ? `${activities} activities at the no-op rate: ${seconds(serverMs)}`
        : `critical path ${countWaves(size)} × ${latencyMs} ms = ${seconds(pathMs)}`,
      ratio: wallMs / (isServer ? serverMs : pathMs),
      bound: { kind: 'at most', ratio: mostRatio },
    };
    const bare: Measurement = {
      part: 'a',
      what: `as many activities that only wait ${latencyMs} ms, without rows or HTTP`,
      measured: `${seconds(bareMs)} in all`,
      against: `critical path: ${seconds(pathMs)}`,
      ratio: bareMs / pathMs,
      bound: null,
    };
    return [bench, bare];
  });
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`;
}
