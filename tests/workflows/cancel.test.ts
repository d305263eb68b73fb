import type { WorkflowHandle } from '@temporalio/client';
import { DEFAULT_CALL_LIMITS } from '../../activities/activity-deps';
import type { BenchInput } from '../../core/bench-input';
import type { BenchSummary } from '../../core/bench-summary';
import { readBenchId, readCalls } from './bench-rows';
import { type BenchWorker, startBenchWorker } from './bench-worker';
import { until } from './until';

const INPUT: BenchInput = {
  goal: 'Find a drug for a disease that has none.',
  candidates: ['one=sim:alder,latency=200@direct', 'two=sim:elm,latency=800@direct'],
  judge: 'sim:referee,latency=300',
  goldSet: 'none',
  n: 2,
  matches: 20,
  maxInFlight: 4,
};

let worker: BenchWorker;
beforeAll(async () => {
  worker = await startBenchWorker({ calls: { ...DEFAULT_CALL_LIMITS, leaseMs: 1_500, graceMs: 2_000 } });
});
afterAll(() => worker.close());

/** Starts a bench, does something to it when that many calls of a kind have settled, and says what it came to. */
async function endedBy(
  input: BenchInput,
  when: { kind: string; state: string; n: number },
  act: (handle: WorkflowHandle) => Promise<unknown>,
) {
  const handle = await worker.start(input);
  await until(`${when.n} ${when.kind} calls ${when.state}`, async () => {
    const benchId = await readBenchId(worker.db, handle.workflowId).catch(() => null);
    const calls = benchId === null ? [] : await readCalls(worker.db, benchId);
    return calls.filter(({ kind, state }) => kind === when.kind && state === when.state).length >= when.n;
  });
  await act(handle);
  await expect(handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
  const benchId = await readBenchId(worker.db, handle.workflowId);
  return { benchId, ...(await readEnd(benchId)) };
}

async function readEnd(benchId: string) {
  const { db } = worker;
  const run = await db
    .selectFrom('bench_runs')
    .selectAll()
    .where('id', '=', benchId)
    .executeTakeFirstOrThrow();
  const matches = await db.selectFrom('bench_matches').selectAll().where('bench_id', '=', benchId).execute();
  const verdicts = await db
    .selectFrom('bench_verdicts')
    .selectAll()
    .where('bench_id', '=', benchId)
    .execute();
  const slots = await db.selectFrom('bench_hypotheses').selectAll().where('bench_id', '=', benchId).execute();
  return {
    run,
    matches,
    verdicts,
    slots,
    calls: await readCalls(db, benchId),
    summary: run.summary as BenchSummary,
  };
}

test.concurrent('cancelled in mid-tournament, a bench keeps its verdicts, and its summary counts also those that were in flight', async () => {
  const end = await endedBy(INPUT, { kind: 'judge', state: 'settled', n: 8 }, (handle) => handle.cancel());
  expect(end.run).toMatchObject({ state: 'cancelled', failure_kind: null });
  expect(end.run.finished_at).toBeInstanceOf(Date);
  const played = end.matches.filter(({ state }) => state === 'played');
  expect(played.length).toBeGreaterThan(0);
  expect(played.length).toBeLessThan(20);
  // What was not played is planned still: a resume goes on with it.
  expect(end.matches.filter(({ state }) => state === 'planned')).toHaveLength(20 - played.length);
  expect(end.summary).toMatchObject({ status: 'cancelled', benchId: end.benchId, inDoubtUsd: 0 });
  expect(end.summary.judge.verdicts).toBe(end.verdicts.length);
  expect(end.summary.candidates.map(({ wins, losses, ties }) => wins + losses + ties)).toEqual([
    played.length,
    played.length,
  ]);
  expect(end.calls.filter(({ state }) => state !== 'settled')).toEqual([]);
  expect(end.verdicts).toHaveLength(end.calls.filter(({ kind }) => kind === 'judge').length);
});

test.concurrent('cancelled in mid-generation, a bench keeps the drafts it has and those whose calls were in flight: 4 of 4', async () => {
  const end = await endedBy(INPUT, { kind: 'generation', state: 'settled', n: 2 }, (handle) =>
    handle.cancel(),
  );
  expect(end.run.state).toBe('cancelled');
  expect(end.summary).toMatchObject({ status: 'cancelled', judge: { verdicts: 0 }, inDoubtUsd: 0 });
  expect(end.matches).toEqual([]);
  expect(end.slots.filter(({ title }) => title !== null)).toHaveLength(4);
  expect(end.calls.filter(({ state }) => state !== 'settled')).toEqual([]);
});

test.concurrent('a call that does not end within the grace is aborted and in doubt: the summary holds its bound apart', async () => {
  const input = {
    ...INPUT,
    judge: 'sim:referee,latency=90000',
    reviewer: 'none',
    probe: false,
    maxInFlight: 3,
  };
  const end = await endedBy(input, { kind: 'judge', state: 'sent', n: 3 }, (handle) => handle.cancel());
  expect(end.run.state).toBe('cancelled');
  const judging = end.calls.filter(({ kind }) => kind === 'judge');
  expect(judging.map(({ attempt, state }) => `${attempt} ${state}`)).toEqual(Array(3).fill('1 in_doubt'));
  expect(end.verdicts).toEqual([]);
  expect(end.summary.judge).toMatchObject({ costUsd: 0, verdicts: 0 });
  expect(end.summary.inDoubtUsd).toBeGreaterThan(0);
});

test.concurrent('a paused bench can be cancelled, and is cancelled then', async () => {
  const end = await endedBy(INPUT, { kind: 'judge', state: 'settled', n: 2 }, async (handle) => {
    await handle.signal('pause');
    await until('paused', async () => {
      const id = await readBenchId(worker.db, handle.workflowId);
      return (await readEnd(id)).run.state === 'paused';
    });
    await handle.cancel();
  });
  expect(end.run.state).toBe('cancelled');
  expect(end.summary.status).toBe('cancelled');
  expect(end.summary.judge.verdicts).toBe(end.verdicts.length);
});

test.concurrent('cancelled while its candidates are at work, a bench ends its children before itself', async () => {
  const handle = await worker.start(INPUT);
  await until('it generates', async () => {
    const benchId = await readBenchId(worker.db, handle.workflowId).catch(() => null);
    return (
      benchId !== null && (await readCalls(worker.db, benchId)).some(({ kind }) => kind === 'generation')
    );
  });
  await handle.cancel();
  await expect(handle.result()).rejects.toThrow();
  const benchId = await readBenchId(worker.db, handle.workflowId);
  for (const label of ['one', 'two']) {
    const query = `WorkflowId STARTS_WITH "${benchId}/${label}-"`;
    const children = async () => {
      const statuses: string[] = [];
      for await (const { status } of worker.client.workflow.list({ query })) statuses.push(status.name);
      return statuses;
    };
    await until(`${label} is listed as ended`, async () => {
      const statuses = await children();
      return statuses.length > 0 && !statuses.includes('RUNNING');
    });
    expect(new Set(await children())).toEqual(new Set(['CANCELLED']));
  }
});
