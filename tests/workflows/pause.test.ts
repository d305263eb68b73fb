import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchInput } from '../../core/bench-input';
import type { BenchSummary } from '../../core/bench-summary';
import { readBenchId, readBenchRows, readCalls } from './bench-rows';
import { type BenchWorker, startBenchWorker } from './bench-worker';
import { until } from './until';

const INPUT: BenchInput = {
  goal: 'Find a drug for a disease that has none.',
  candidates: ['one=sim:alder,latency=300@direct', 'two=sim:elm,latency=600@direct'],
  judge: 'sim:referee,latency=150',
  goldSet: 'aml-repurposing-paper-5',
  n: 2,
  matches: 8,
  maxInFlight: 2,
};
/** Longer than any call of these benches takes: what does not begin in this time waits. */
const QUIET_MS = 1_000;
const HANDED_OUT_MS = 300;

let worker: BenchWorker;
let undisturbed: Promise<BenchSummary>;
beforeAll(async () => {
  worker = await startBenchWorker();
  undisturbed = worker.run(INPUT);
});
afterAll(() => worker.close());

/** Of a bench that was paused: what had begun, what began while it was paused, and what it came to. */
interface Paused {
  begun: number;
  begunWhilePaused: number;
  stateWhilePaused: string;
  stateAfter: string;
  summary: BenchSummary;
}

/** Pauses a bench when that many calls of a kind have been asked for, and lets it go on after a while. */
async function pauseAt(name: string, kind: string, asked: number): Promise<Paused> {
  const handle = await worker.start(INPUT, `${worker.temporal.taskQueue}-${name}`);
  await until(
    `${asked} ${kind} calls`,
    async () => (await callsOf(name)).filter((c) => c.kind === kind).length >= asked,
  );
  await handle.signal('pause');
  await until('paused', async () => (await stateOf(name)) === 'paused');
  await inFlightEnds(name);
  const begun = (await callsOf(name)).length;
  await sleep(QUIET_MS);
  const begunWhilePaused = (await callsOf(name)).length - begun;
  const stateWhilePaused = await stateOf(name);
  await handle.signal('unpause');
  await until('running', async () => (await stateOf(name)) !== 'paused');
  const stateAfter = await stateOf(name);
  return { begun, begunWhilePaused, stateWhilePaused, stateAfter, summary: await handle.result() };
}

/** Also of activities that were handed out just before the pause and have no row yet. */
async function inFlightEnds(name: string): Promise<void> {
  const isQuiet = async () => (await callsOf(name)).every((call) => call.state !== 'sent');
  await until('nothing in flight', isQuiet);
  await sleep(HANDED_OUT_MS);
  await until('nothing in flight', isQuiet);
}

async function callsOf(name: string) {
  const benchId = await readBenchId(worker.db, `${worker.temporal.taskQueue}-${name}`).catch(() => null);
  return benchId === null ? [] : readCalls(worker.db, benchId);
}

async function stateOf(name: string): Promise<string> {
  const benchId = await readBenchId(worker.db, `${worker.temporal.taskQueue}-${name}`);
  const row = await worker.db
    .selectFrom('bench_runs')
    .select('state')
    .where('id', '=', benchId)
    .executeTakeFirst();
  return row?.state ?? 'none';
}

test.concurrent.each([
  ['generating', 'generation', 4],
  ['judging', 'judge', 3],
])(
  '%s: a pause lets what has begun end, begins nothing, shows as paused, and changes no row of the result',
  async (name, kind, asked) => {
    const paused = await pauseAt(name, kind, asked);
    expect(paused).toMatchObject({ begunWhilePaused: 0, stateWhilePaused: 'paused', stateAfter: 'running' });
    // Of 3 probes, 4 generations, 4 reviews and 16 verdicts: it was paused in the middle.
    expect(paused.begun).toBeLessThan(27);
    const expected = await undisturbed;
    expect(await readBenchRows(worker.db, paused.summary.benchId)).toEqual(
      await readBenchRows(worker.db, expected.benchId),
    );
  },
);

test.concurrent('paused before its first step, a bench makes no call at all, not even a probe, until unpaused', async () => {
  const name = 'at-once';
  const workflowId = `${worker.temporal.taskQueue}-${name}`;
  const handle = await worker.client.workflow.signalWithStart('bench', {
    taskQueue: worker.temporal.taskQueue,
    workflowId,
    args: [INPUT],
    signal: 'pause',
  });
  await until('there is a bench', async () => (await stateOf(name).catch(() => 'none')) === 'paused');
  await sleep(QUIET_MS);
  expect(await callsOf(name)).toEqual([]);
  await handle.signal('unpause');
  expect(await handle.result()).toMatchObject({ status: 'finished' });
});

test.concurrent('of pause and unpause sent in a row the last one counts: 9 signals that end in pause leave it paused', async () => {
  const name = 'in-a-row';
  const handle = await worker.start(INPUT, `${worker.temporal.taskQueue}-${name}`);
  await until('it generates', async () => (await callsOf(name)).some((c) => c.kind === 'generation'));
  for (let i = 0; i < 9; i += 1) await handle.signal(i % 2 === 0 ? 'pause' : 'unpause');
  await inFlightEnds(name);
  const begun = (await callsOf(name)).length;
  await sleep(QUIET_MS);
  expect((await callsOf(name)).length).toBe(begun);
  expect(await stateOf(name)).toBe('paused');
  expect(await handle.query('progress')).toMatchObject({ isPaused: true });
  await handle.signal('unpause');
  expect(await handle.result()).toMatchObject({ status: 'finished' });
});
