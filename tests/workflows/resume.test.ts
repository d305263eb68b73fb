import { WorkflowFailedError } from '@temporalio/client';
import type { BenchInput } from '../../core/bench-input';
import type { BenchSummary } from '../../core/bench-summary';
import { readTakeOverReason } from '../../core/take-over-reason';
import { dropUpdate, raiseBudgetUpdate } from '../../workflows/bench-control';
import { unpauseSignal } from '../../workflows/pause-gate';
import { type BenchWorker, startBenchWorker } from './bench-worker';

const INPUT: BenchInput = {
  goal: 'Find a drug for a disease that has none.',
  candidates: ['one=sim:alder@direct', 'two=sim:elm@direct', 'three=sim:hazel@direct'],
  judge: 'sim:referee,latency=40',
  goldSet: 'none',
  n: 2,
  matches: 6,
  maxInFlight: 4,
};

let worker: BenchWorker;
beforeAll(async () => {
  worker = await startBenchWorker();
});
afterAll(() => worker.close());

/** Starts a bench and waits until that many verdicts are in. */
async function startUntil(verdicts: number, input: BenchInput = INPUT) {
  const handle = await worker.start(input);
  for (;;) {
    const bench = await worker.db
      .selectFrom('bench_runs')
      .select('id')
      .where('workflow_id', '=', handle.workflowId)
      .executeTakeFirst();
    const count = bench ? await countVerdicts(bench.id) : 0;
    if (bench && count >= verdicts) return { handle, benchId: bench.id };
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function countVerdicts(benchId: string): Promise<number> {
  const row = await worker.db
    .selectFrom('bench_verdicts')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('bench_id', '=', benchId)
    .executeTakeFirstOrThrow();
  return row.n;
}

async function settledTwice(benchId: string): Promise<number> {
  const rows = await worker.db
    .selectFrom('bench_llm_calls')
    .select('key')
    .where('bench_id', '=', benchId)
    .where('state', 'in', ['settled', 'superseded'])
    .groupBy('key')
    .having((eb) => eb.fn.countAll(), '>', 1)
    .execute();
  return rows.length;
}

function ratings(summary: BenchSummary) {
  return summary.candidates.map(({ label, meanElo, wins, losses, ties }) => ({
    label,
    meanElo,
    wins,
    losses,
    ties,
  }));
}

async function failureOf(running: Promise<unknown>): Promise<string> {
  const error = await running.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof WorkflowFailedError)) throw new Error(`did not fail: ${String(error)}`);
  return error.cause?.message ?? '';
}

test('a terminated bench is resumed to the undisturbed ratings, and 0 keys are settled twice', async () => {
  const undisturbed = await worker.run(INPUT);
  const { handle, benchId } = await startUntil(8);
  await handle.terminate('as if the server were lost');
  const resumed = await worker.run({ resume: benchId });
  expect(resumed).toMatchObject({ benchId, status: 'finished', judge: { verdicts: 36, invalid: 0 } });
  expect(ratings(resumed)).toEqual(ratings(undisturbed));
  expect(await settledTwice(benchId)).toBe(0);
});

test('a running bench is not taken over by the way; takeOver ends it first; the result is the undisturbed one', async () => {
  const { handle, benchId } = await startUntil(4);
  const refused = await failureOf(worker.run({ resume: benchId }));
  expect(refused).toContain(`${benchId} is running as workflow ${handle.workflowId}`);
  const taken = await worker.run({ resume: benchId, takeOver: true });
  expect(taken).toMatchObject({ benchId, status: 'finished', judge: { verdicts: 36 } });
  expect((await handle.describe()).status.name).toBe('TERMINATED');
  expect(await settledTwice(benchId)).toBe(0);
});

test('of 2 resumes at once 1 wins and the other is told', async () => {
  const { handle, benchId } = await startUntil(4);
  await handle.terminate();
  const both = await Promise.allSettled([worker.run({ resume: benchId }), worker.run({ resume: benchId })]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const lost = both.find((one) => one.status === 'rejected');
  const message =
    lost?.status === 'rejected' ? String((lost.reason as WorkflowFailedError).cause?.message) : '';
  expect(message).toMatch(/taken over by another resume|is running as workflow/);
});

test('of 2 that take over at once 1 has the bench in the end, and the other is told which workflow that is', async () => {
  const { handle, benchId } = await startUntil(4);
  const input = { resume: benchId, takeOver: true };
  const both = [await worker.start(input), await worker.start(input)];
  const ends = await Promise.allSettled(both.map((one) => one.result()));
  expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const lost = ends.find((end) => end.status === 'rejected');
  const message = lost ? String((lost.reason as WorkflowFailedError).cause?.message) : '';
  const winner = both[ends.findIndex((end) => end.status === 'fulfilled')]?.workflowId ?? '';
  // Refused when it came second to the row; terminated when the other saw it as the owner.
  const refused = `resume: ${benchId} was taken over by another resume just now: workflow ${winner} has it`;
  expect(readTakeOverReason(message) === winner || message.includes(refused)).toBe(true);
  expect((await handle.describe()).status.name).toBe('TERMINATED');
  expect(await settledTwice(benchId)).toBe(0);
});

test('resume names what is wrong: no such bench, and fields that cannot stand beside it', async () => {
  expect(await failureOf(worker.run({ resume: 'bnc_01ARZ3NDEKTSV4RRFFQ69G5FAV' }))).toContain(
    'no bench bnc_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  );
  const { benchId } = await worker.run({ ...INPUT, matches: 0 });
  expect(await failureOf(worker.run({ resume: benchId, n: 3, goal: 'other' }))).toMatch(
    /2 problems.*\n- goal: cannot stand beside resume.*\n- n: cannot stand beside resume/,
  );
});

test('a bench that has finished and lacks nothing is not begun again: its row keeps results and owner', async () => {
  const { benchId } = await worker.run({ ...INPUT, matches: 1 });
  const row = () =>
    worker.db.selectFrom('bench_runs').selectAll().where('id', '=', benchId).executeTakeFirst();
  const before = await row();
  for (const more of [{}, { takeOver: true }]) {
    expect(await failureOf(worker.run({ resume: benchId, ...more }))).toContain(
      `resume: ${benchId} has finished, and there is nothing left to do`,
    );
  }
  expect(await row()).toEqual(before);
});

test('a judge over its cap ends the tournament; a raised cap and a resume play exactly the missing matches', async () => {
  const undisturbed = await worker.run(INPUT);
  const poor = await worker.run({ ...INPUT, judgeBudgetUsd: 0.1 });
  const played = poor.judge.verdicts;
  expect(played).toBeGreaterThan(0);
  expect(played).toBeLessThan(36);
  const unplayed = await worker.db
    .selectFrom('bench_matches')
    .select('reason')
    .distinct()
    .where('bench_id', '=', poor.benchId)
    .where('state', '=', 'unplayed')
    .execute();
  expect(unplayed).toEqual([{ reason: 'over_budget' }]);
  const judge = `${poor.benchId}/judge`;
  await worker.db.updateTable('bench_budgets').set({ cap_usd: 5 }).where('id', '=', judge).execute();
  const resumed = await worker.run({ resume: poor.benchId });
  expect(ratings(resumed)).toEqual(ratings(undisturbed));
  expect(await settledTwice(poor.benchId)).toBe(0);
});

test('a judge that may wait goes on in the same workflow when its cap is raised', async () => {
  const handle = await worker.start({ ...INPUT, judgeBudgetUsd: 0.1, onJudgeCap: 'wait' });
  const isOver = async () =>
    (
      await worker.db
        .selectFrom('bench_budgets')
        .innerJoin('bench_runs', 'bench_runs.id', 'bench_budgets.bench_id')
        .select('exceeded_cap_usd')
        .where('workflow_id', '=', handle.workflowId)
        .where('kind', '=', 'judge')
        .executeTakeFirst()
    )?.exceeded_cap_usd;
  while ((await isOver()) == null) await new Promise((resolve) => setTimeout(resolve, 50));
  await handle.executeUpdate(raiseBudgetUpdate, { args: [{ scope: 'judge', capUsd: 5 }] });
  const summary = (await handle.result()) as BenchSummary;
  expect(summary).toMatchObject({ status: 'finished', judge: { verdicts: 36 } });
});

test('a candidate over its cap stops alone; raised while others work, it goes on to all of its hypotheses', async () => {
  // A call of `poor` is bounded by exactly $1.00 and costs less: under a cap of $1.00 the first fits, the second not.
  // `slow` costs nothing and takes so long that the raise comes while it works.
  const input: BenchInput = {
    ...INPUT,
    candidates: ['poor=sim:alder@direct', 'slow=sim:elm,latency=4000@direct'],
    judge: 'sim:referee',
    budgetPerCandidateUsd: 1,
    prices: {
      'sim:alder': { inputUsdPerMTok: 0, outputUsdPerMTok: 1_000 },
      'sim:elm,latency=4000': { inputUsdPerMTok: 0, outputUsdPerMTok: 0 },
    },
    generation: { maxOutputTokens: 1_000 },
    probe: false,
    matches: 1,
  };
  const handle = await worker.start(input);
  const states = async () =>
    worker.db
      .selectFrom('bench_candidates')
      .innerJoin('bench_runs', 'bench_runs.id', 'bench_candidates.bench_id')
      .select('bench_candidates.state')
      .where('workflow_id', '=', handle.workflowId)
      .where('label', '=', 'poor')
      .executeTakeFirst();
  while ((await states())?.state !== 'over_budget') {
    if ((await states())?.state === 'ready') break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect((await states())?.state).toBe('over_budget');
  await handle.executeUpdate(raiseBudgetUpdate, { args: [{ scope: 'poor', capUsd: 3 }] });
  const summary = (await handle.result()) as BenchSummary;
  const poor = summary.candidates.find(({ label }) => label === 'poor');
  expect(poor).toMatchObject({ nHypotheses: 2, failures: {} });
});

test('a dropped candidate leaves: its matches stay unplayed, the others are judged', async () => {
  const { handle, benchId } = await startUntil(2);
  await handle.executeUpdate(dropUpdate, { args: ['three'] });
  await expect(handle.executeUpdate(dropUpdate, { args: ['nobody'] })).rejects.toThrow();
  const summary = (await handle.result()) as BenchSummary;
  const dropped = await worker.db
    .selectFrom('bench_matches')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('bench_id', '=', benchId)
    .where('reason', '=', 'dropped')
    .executeTakeFirstOrThrow();
  expect(dropped.n).toBeGreaterThan(0);
  expect(summary.status).toBe('finished');
  expect(summary.judge.verdicts).toBeGreaterThanOrEqual(12);
});

test('a judge with over 20 % of its first 20 verdicts invalid holds the tournament until unpaused', async () => {
  const judge = 'sim:referee,fail=truncated:0.5';
  const handle = await worker.start({ ...INPUT, matches: 12, judge, probe: false, reviewer: 'none' });
  const hold = async () =>
    (
      await worker.db
        .selectFrom('bench_runs')
        .select('hold_reason')
        .where('workflow_id', '=', handle.workflowId)
        .executeTakeFirst()
    )?.hold_reason;
  while (!(await hold())) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await hold()).toMatch(/^\d+ of the first \d+ verdicts were invalid$/);
  await handle.signal(unpauseSignal);
  const summary = (await handle.result()) as BenchSummary;
  expect(summary.judge.verdicts).toBe(72);
  expect(summary.judge.invalid).toBeGreaterThan(10);
  expect(await hold()).toBeNull();
});
