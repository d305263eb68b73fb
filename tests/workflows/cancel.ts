import type { BenchSummary } from '../../core/bench-summary';
import { readCalls } from './bench-rows';
import { errorReply } from './double-answers';
import { HELD_INPUT } from './held-calls';
import { type HeldBench, readRun, resultOf, startHeldBench, untilState, type Wheel } from './steered-bench';
import { until } from './until';

const INPUT = { ...HELD_INPUT, matches: 20, maxInFlight: 4 };

/** Waits for the end of a bench that was cancelled, and reads what it left. */
async function readEnd(wheel: Wheel, bench: HeldBench) {
  await expect(resultOf(bench)).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
  const { db } = wheel.worker;
  const run = await readRun(wheel, bench.id);
  const matches = await db.selectFrom('bench_matches').selectAll().where('bench_id', '=', bench.id).execute();
  const verdicts = await db
    .selectFrom('bench_verdicts')
    .selectAll()
    .where('bench_id', '=', bench.id)
    .execute();
  const slots = await db
    .selectFrom('bench_hypotheses')
    .selectAll()
    .where('bench_id', '=', bench.id)
    .execute();
  const calls = await readCalls(db, bench.id);
  return { run, matches, verdicts, slots, calls, summary: run.summary as BenchSummary };
}

/** Cancellations, and what is kept. */
export function testCancellations(shared: () => Wheel): void {
  let wheel: Wheel;
  beforeAll(() => {
    wheel = shared();
  });

  test.concurrent('cancelled in mid-tournament, a bench keeps its 8 verdicts, and its summary counts also the 4 that were in flight', async () => {
    const bench = await startHeldBench(wheel, INPUT, /^m([4-9]|1\d)\//, 4);
    await bench.handle.cancel();
    await untilCancelRequested(wheel, `${bench.id}/tournament-`);
    wheel.double.letGo(bench.id);
    const end = await readEnd(wheel, bench);
    expect(end.run).toMatchObject({ state: 'cancelled', failure_kind: null });
    expect(end.run.finished_at).toBeInstanceOf(Date);
    expect(end.matches.filter(({ state }) => state === 'played')).toHaveLength(6);
    // What was not played is planned still: a resume goes on with it.
    expect(end.matches.filter(({ state }) => state === 'planned')).toHaveLength(14);
    expect(end.summary).toMatchObject({ status: 'cancelled', benchId: bench.id, inDoubtUsd: 0 });
    expect(end.summary.judge.verdicts).toBe(12);
    expect(end.summary.matches).toEqual({ scheduled: 20, played: 6, unplayed: {} });
    expect(end.summary.candidates.map(({ wins, losses, ties }) => wins + losses + ties)).toEqual([6, 6]);
    expect(end.calls.map(({ state }) => state)).toEqual(Array(4 + 12).fill('settled'));
    expect(end.verdicts).toHaveLength(12);
  });

  test.concurrent('cancelled in mid-generation, a bench keeps the 2 drafts it has and the 2 whose calls were in flight', async () => {
    const bench = await startHeldBench(wheel, INPUT, /^two\//, 2);
    await bench.handle.cancel();
    wheel.double.letGo(bench.id);
    const end = await readEnd(wheel, bench);
    expect(end.run.state).toBe('cancelled');
    expect(end.summary).toMatchObject({ status: 'cancelled', judge: { verdicts: 0 }, inDoubtUsd: 0 });
    expect(end.matches).toEqual([]);
    expect(end.slots.filter(({ title }) => title !== null)).toHaveLength(4);
    expect(end.calls.map(({ state }) => state)).toEqual(Array(4).fill('settled'));
  });

  test.concurrent('3 calls that do not end within the grace are aborted and in doubt: the summary holds their bounds apart', async () => {
    const bench = await startHeldBench(wheel, { ...INPUT, maxInFlight: 3 }, /^m\d/, 3);
    await bench.handle.cancel();
    const end = await readEnd(wheel, bench);
    wheel.double.letGo(bench.id);
    expect(end.run.state).toBe('cancelled');
    const judging = end.calls.filter(({ kind }) => kind === 'judge');
    expect(judging.map(({ attempt, state }) => `${attempt} ${state}`)).toEqual(Array(3).fill('1 in_doubt'));
    expect(end.verdicts).toEqual([]);
    expect(end.summary.judge).toMatchObject({ costUsd: 0, verdicts: 0 });
    expect(end.summary.inDoubtUsd).toBeGreaterThan(0);
  });

  test.concurrent('a bench whose 3 probes are turned away after it was cancelled is cancelled all the same, and not failed', async () => {
    const bench = await startHeldBench(wheel, { ...INPUT, probe: true }, /^probe\//, 3);
    await bench.handle.cancel();
    await untilCancelRequested(wheel, `bench-${bench.id}`);
    wheel.double.letGo(bench.id, errorReply(429));
    const end = await readEnd(wheel, bench);
    expect(end.run).toMatchObject({ state: 'cancelled', failure_kind: null });
    expect(end.summary).toMatchObject({ status: 'cancelled', judge: { verdicts: 0 } });
  });

  test.concurrent('a paused bench can be cancelled, and is cancelled then, with its 12 verdicts', async () => {
    const bench = await startHeldBench(wheel, INPUT, /^m([4-9]|1\d)\//, 4);
    await bench.handle.signal('pause');
    await untilState(wheel, bench.id, 'paused');
    await bench.handle.cancel();
    wheel.double.letGo(bench.id);
    const end = await readEnd(wheel, bench);
    expect(end.run.state).toBe('cancelled');
    expect(end.summary).toMatchObject({ status: 'cancelled', judge: { verdicts: 12 } });
    expect(end.verdicts).toHaveLength(12);
  });

  test.concurrent('cancelled while its 2 candidates are at work, a bench ends them before itself, and their rows say so', async () => {
    const bench = await startHeldBench(wheel, INPUT, /\/turn\//, 4);
    await bench.handle.cancel();
    wheel.double.letGo(bench.id);
    await readEnd(wheel, bench);
    const candidates = wheel.worker.db.selectFrom('bench_candidates').select(['state', 'failure_kind']);
    expect(await candidates.where('bench_id', '=', bench.id).execute()).toEqual(
      Array(2).fill({ state: 'failed', failure_kind: 'cancelled' }),
    );
    for (const label of ['one', 'two']) {
      const statuses = await listedStatuses(wheel, `${bench.id}/${label}-`);
      expect(statuses).toEqual(['CANCELLED']);
    }
  });
}

/** The bench passes its cancellation on; until a child's activities have it, they are tried again. */
async function untilCancelRequested({ worker }: Wheel, prefix: string): Promise<void> {
  await until(`${prefix} is to be cancelled`, async () => {
    for await (const { workflowId } of worker.client.workflow.list({
      query: `WorkflowId STARTS_WITH "${prefix}"`,
    })) {
      const { events } = await worker.client.workflow.getHandle(workflowId).fetchHistory();
      if (events?.some((event) => event.activityTaskCancelRequestedEventAttributes)) return true;
    }
    return false;
  });
}

/** Statuses of the workflows whose ids begin so, once the server's list has caught up. */
async function listedStatuses({ worker }: Wheel, prefix: string): Promise<string[]> {
  let statuses: string[] = [];
  await until(`${prefix} is listed as ended`, async () => {
    statuses = [];
    const query = `WorkflowId STARTS_WITH "${prefix}"`;
    for await (const { status } of worker.client.workflow.list({ query })) statuses.push(status.name);
    return statuses.length > 0 && !statuses.includes('RUNNING');
  });
  return statuses;
}
