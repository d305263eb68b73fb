import { readCallSpan, readTableSizes, type TableSize } from '../../db/table-sizes';
import { historySize } from '../chaos/history';
import { type BenchSize, countMatches, runsOf, type TimedBench, timeBench, WINDOW } from './direct-bench';
import type { Measurement } from './measurement';
import { type PerfBed, withMemory } from './perf-bed';

/** (b) An instant judge: what of a no-op workflow's rate is left when each activity is a verdict with its rows. */
export async function measureRate(perf: PerfBed, size: BenchSize): Promise<Measurement[]> {
  const before = await perf.bare.noopsPerSecond(WINDOW);
  const rate = await verdictRate(perf, await timeBench(perf.client, perf.taskQueue, perf.double, size));
  const noop = (before + (await perf.bare.noopsPerSecond(WINDOW))) / 2;
  return [
    {
      part: 'b',
      what: `verdicts a second, an instant judge, ${2 * countMatches(size)} of them, ${WINDOW} in flight`,
      measured: `${rate.toFixed(0)}/s`,
      against: `no-op activities, same window: ${noop.toFixed(0)}/s`,
      ratio: rate / noop,
      bound: { kind: 'at least', ratio: 0.8 },
    },
  ];
}

/** (c) and (e) A small bench and a large one of the same kind: what a match costs in time, memory, history and rows. */
export async function measureScale(
  perf: PerfBed,
  small: BenchSize,
  large: BenchSize,
): Promise<Measurement[]> {
  const few = await timeMatches(perf, small);
  const sizesBefore = await readTableSizes(perf.db);
  const many = await timeMatches(perf, large);
  const grown = growth(sizesBefore, await readTableSizes(perf.db));
  return [
    ...timeLines({ few, nFew: countMatches(small) }, { many, nMany: countMatches(large) }),
    ...historyLines(many),
    {
      part: 'e',
      what: 'rows written, the large bench',
      measured: `${(grown.rows / many.seconds).toFixed(0)}/s (${grown.rows} rows)`,
      ...UNBOUND,
    },
    {
      part: 'e',
      what: 'database a match, indexes and texts too',
      measured: `${(grown.bytes / countMatches(large) / 1e3).toFixed(1)} kB`,
      ...UNBOUND,
    },
  ];
}

/** (d) The bench of (b) again, with a second worker process of the same queues. */
export async function measureTwoWorkers(perf: PerfBed, size: BenchSize): Promise<Measurement[]> {
  const one = await verdictRate(perf, await timeBench(perf.client, perf.taskQueue, perf.double, size));
  const second = await perf.startWorker();
  try {
    const two = await verdictRate(perf, await timeBench(perf.client, perf.taskQueue, perf.double, size));
    return [
      {
        part: 'd',
        what: 'verdicts a second, two worker processes',
        measured: `${two.toFixed(0)}/s`,
        against: `one: ${one.toFixed(0)}/s`,
        ratio: two / one,
        bound: null,
      },
    ];
  } finally {
    await second.end(20_000);
  }
}

interface TimedMatches {
  msPerMatch: number;
  /** Of the whole bench. */
  seconds: number;
  /** Of the worker, a sample a second. */
  megabytes: number[];
  histories: { events: number; bytes: number }[];
}

/** Told, and held against nothing. */
const UNBOUND = { against: '–', ratio: null, bound: null };

function timeLines(
  { few, nFew }: { few: TimedMatches; nFew: number },
  { many, nMany }: { many: TimedMatches; nMany: number },
): Measurement[] {
  const most = Math.max(...many.megabytes);
  const half = Math.floor(many.megabytes.length / 2);
  const mostOfFirstHalf = Math.max(...many.megabytes.slice(0, Math.max(1, half)));
  const mostOfSecondHalf = Math.max(...many.megabytes.slice(half));
  return [
    {
      part: 'c',
      what: `time a match, ${nMany} matches`,
      measured: ms(many.msPerMatch),
      against: `${nFew} matches: ${ms(few.msPerMatch)}`,
      ratio: many.msPerMatch / few.msPerMatch,
      bound: { kind: 'at most', ratio: 1.2 },
    },
    {
      part: 'c',
      what: 'worker’s memory, most of the whole run',
      measured: `${most.toFixed(0)} MB`,
      against: 'a limit of 500 MB',
      ratio: most / 500,
      bound: { kind: 'at most', ratio: 1 },
    },
    {
      part: 'c',
      what: 'the same, second half of the run',
      measured: `${mostOfSecondHalf.toFixed(0)} MB`,
      against: `first half: ${mostOfFirstHalf.toFixed(0)} MB`,
      ratio: mostOfSecondHalf / mostOfFirstHalf,
      bound: null,
    },
  ];
}

/** The design’s own limits, far below those at which Temporal ends a workflow: 51,200 events, 50 MB. */
function historyLines(many: TimedMatches): Measurement[] {
  const [events, bytes] = [longest(many, 'events'), longest(many, 'bytes')];
  return [
    {
      part: 'c',
      what: `longest history of ${many.histories.length}`,
      measured: `${events} events`,
      against: 'a limit of 4,096',
      ratio: events / 4_096,
      bound: { kind: 'at most', ratio: 1 },
    },
    {
      part: 'c',
      what: 'largest history',
      measured: `${(bytes / 1e6).toFixed(2)} MB`,
      against: 'a limit of 4 MB',
      ratio: bytes / 4e6,
      bound: { kind: 'at most', ratio: 1 },
    },
  ];
}

async function timeMatches(perf: PerfBed, size: BenchSize): Promise<TimedMatches> {
  const { result: timed, megabytes } = await withMemory(perf.worker.pid, () =>
    timeBench(perf.client, perf.taskQueue, perf.double, size),
  );
  const span = await readCallSpan(perf.db, timed.benchId, 'judge');
  const histories: TimedMatches['histories'] = [];
  for (const { workflowId, runId } of await runsOf(perf.client, timed)) {
    histories.push(await historySize(perf.client, workflowId, runId));
  }
  return {
    msPerMatch: (1_000 * span.seconds) / countMatches(size),
    seconds: timed.wallMs / 1_000,
    ...{ megabytes, histories },
  };
}

async function verdictRate(perf: PerfBed, { benchId }: TimedBench): Promise<number> {
  const { answered, seconds } = await readCallSpan(perf.db, benchId, 'judge');
  return answered / seconds;
}

function growth(before: readonly TableSize[], after: readonly TableSize[]): { rows: number; bytes: number } {
  const sum = (sizes: readonly TableSize[], field: 'rows' | 'bytes') =>
    sizes.reduce((total, size) => total + size[field], 0);
  return {
    rows: sum(after, 'rows') - sum(before, 'rows'),
    bytes: sum(after, 'bytes') - sum(before, 'bytes'),
  };
}

function longest({ histories }: TimedMatches, field: 'events' | 'bytes'): number {
  return Math.max(0, ...histories.map((history) => history[field]));
}

function ms(milliseconds: number): string {
  return `${milliseconds.toFixed(2)} ms`;
}
