import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchInput } from '../../core/bench-input';
import type { BenchSummary } from '../../core/bench-summary';
import { dropUpdate } from '../../workflows/bench-control';
import { unpauseSignal } from '../../workflows/pause-gate';
import { readCalls } from './bench-rows';
import { type BenchWorker, startBenchWorker } from './bench-worker';
import { newBenchId } from './held-calls';
import { until } from './until';

/** `poor` fails in one way, `fine` does not; no probe has warned of it. */
const BROKEN: BenchInput = {
  goal: 'Find a drug for a disease that has none.',
  candidates: ['poor=sim:gorse,fail=truncated:1@direct', 'fine=sim:alder@direct'],
  judge: 'sim:referee',
  reviewer: 'none',
  goldSet: 'none',
  n: 4,
  matches: 1,
  generation: { maxTurns: 1 },
  probe: false,
};

let worker: BenchWorker;
beforeAll(async () => {
  worker = await startBenchWorker();
});
afterAll(() => worker.close());

/** Starts a bench and waits until `poor` holds. */
async function startUntilHeld(input: BenchInput) {
  const id = newBenchId();
  const handle = await worker.start(input, `bench-${id}`);
  await until(`${id}/poor holds`, async () => (await readPoor(id))?.hold_reason != null);
  return { id, handle };
}

async function readPoor(benchId: string) {
  return worker.db
    .selectFrom('bench_candidates')
    .select(['state', 'failure_kind', 'hold_reason'])
    .where('id', '=', `${benchId}/poor`)
    .executeTakeFirst();
}

async function callsOfPoor(benchId: string) {
  return (await readCalls(worker.db, benchId)).filter(({ key }) => key.startsWith(`${benchId}/poor/`));
}

function poorOf(summary: BenchSummary) {
  return summary.candidates.find(({ label }) => label === 'poor');
}

test.concurrent('a candidate whose first 3 of 4 slots end as truncated holds and says why; the others work on; unpaused, the bench ends without its hypotheses', async () => {
  const { id, handle } = await startUntilHeld(BROKEN);
  expect(await readPoor(id)).toMatchObject({
    state: 'generating',
    hold_reason: 'its first 3 slots ended as truncated',
  });
  await until('fine is ready', async () => {
    const rows = await worker.db
      .selectFrom('bench_candidates')
      .select('state')
      .where('id', '=', `${id}/fine`)
      .execute();
    return rows[0]?.state === 'ready';
  });
  await sleep(300);
  // Nobody judges, and nobody pays a judge, while it holds.
  expect((await readCalls(worker.db, id)).filter(({ kind }) => kind === 'judge')).toEqual([]);
  await handle.signal(unpauseSignal);
  const summary = (await handle.result()) as BenchSummary;
  expect(summary.status).toBe('finished');
  expect(poorOf(summary)).toMatchObject({ nHypotheses: 0, failures: { truncated: 4 } });
  expect(await readPoor(id)).toMatchObject({ state: 'ready', hold_reason: null });
});

test.concurrent('a candidate that holds can be dropped: the bench goes on without it', async () => {
  const { id, handle } = await startUntilHeld(BROKEN);
  await handle.executeUpdate(dropUpdate, { args: ['poor'] });
  const summary = (await handle.result()) as BenchSummary;
  expect(summary.status).toBe('finished');
  expect(await readPoor(id)).toMatchObject({ state: 'dropped', hold_reason: null });
});

test.concurrent('a bench whose candidate holds can be cancelled: the candidate ends as cancelled, and a resume goes on', async () => {
  const { id, handle } = await startUntilHeld(BROKEN);
  await handle.cancel();
  await handle.result().catch(() => undefined);
  expect(await readPoor(id)).toMatchObject({ state: 'failed', failure_kind: 'cancelled', hold_reason: null });
  const resumed = await worker.run({ resume: id });
  expect(resumed.status).toBe('finished');
});

test.concurrent('1 slot whose server fails: after 3 requests the candidate holds; unpaused, the 4th and last goes out', async () => {
  const candidates = ['poor=sim:gorse,fail=server_error:1@direct', 'fine=sim:alder@direct'];
  const { id, handle } = await startUntilHeld({ ...BROKEN, candidates, n: 1 });
  expect(await readPoor(id)).toMatchObject({ hold_reason: 'its first 3 calls ended as server_error' });
  await sleep(500); // far above the 20 ms after which a request goes out again
  expect((await callsOfPoor(id)).map(({ state }) => state)).toEqual(['failed', 'failed', 'failed']);
  await handle.signal(unpauseSignal);
  const summary = (await handle.result()) as BenchSummary;
  expect(await callsOfPoor(id)).toHaveLength(4);
  expect(poorOf(summary)).toMatchObject({ nHypotheses: 0, failures: { attempts_exhausted: 1 } });
});

test.concurrent('3 slots that end in 2 different failures hold nothing, in whatever order they end', async () => {
  const candidates = ['poor=sim:gorse,fail=truncated:0.5,fail=refused:0.5@direct', 'fine=sim:alder@direct'];
  const summary = await worker.run({ ...BROKEN, candidates, n: 3, seed: 3 });
  const { failures = {} } = poorOf(summary) ?? {};
  expect(Object.keys(failures).sort()).toEqual(['refused', 'truncated']);
  expect((failures.refused ?? 0) + (failures.truncated ?? 0)).toBe(3);
});

test.concurrent('dropped before the tournament, a candidate has no match: all of its are unplayed, as dropped', async () => {
  const candidates = ['poor=sim:gorse,latency=1500@direct', 'fine=sim:alder@direct', 'good=sim:elm@direct'];
  const id = newBenchId();
  const handle = await worker.start({ ...BROKEN, candidates, n: 2, matches: 2 }, `bench-${id}`);
  await until('poor writes', async () => (await callsOfPoor(id)).some(({ state }) => state === 'sent'));
  await handle.executeUpdate(dropUpdate, { args: ['poor'] });
  const summary = (await handle.result()) as BenchSummary;
  // 3 pairs × 2 matches: 4 with `poor`, 2 without.
  expect(summary.matches).toEqual({ scheduled: 6, played: 2, unplayed: { dropped: 4 } });
  expect(await readPoor(id)).toMatchObject({ state: 'dropped' });
  const judged = (await readCalls(worker.db, id)).filter(({ kind }) => kind === 'judge');
  expect(judged).toHaveLength(4);
});
