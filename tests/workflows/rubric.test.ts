import { WorkflowFailedError } from '@temporalio/client';
import type { RubricRequest } from '../../activities/evaluation/open-rubric';
import { rubricScope } from '../../core/ids';
import { readRecordedBench } from '../../db/export-reads';
import { readRubricScores } from '../../db/rubric-scores';
import type { rubric } from '../../workflows';
import { type BenchWorker, startBenchWorker } from './bench-worker';

let worker: BenchWorker;
let benchId: string;
beforeAll(async () => {
  worker = await startBenchWorker();
  ({ benchId } = await worker.run({
    goal: 'Find a drug for a disease that has none.',
    candidates: ['one=sim:alder@direct', 'two=sim:elm@direct'],
    judge: 'sim:referee',
    goldSet: 'none',
    n: 3,
    matches: 6,
    probe: false,
  }));
});
afterAll(() => worker.close());

let runs = 0;

async function scoreBench(changes: Partial<RubricRequest> = {}) {
  runs += 1;
  const request: RubricRequest = {
    ...{ benchId, judge: 'sim:referee', agents: ['generation', 'reflection', 'ranking', 'overview'] },
    ...{ sample: 4, capUsd: 5 },
    ...changes,
  };
  const { taskQueue } = worker.temporal;
  return worker.client.workflow.execute<typeof rubric>('rubric', {
    ...{ taskQueue, workflowId: `${taskQueue}-rubric-${runs}`, args: [request] },
  });
}

async function problemsOf(changes: Partial<RubricRequest>): Promise<string> {
  const error = await scoreBench(changes).catch((thrown: unknown) => thrown);
  if (!(error instanceof WorkflowFailedError)) throw new Error('it was scored');
  expect(error.cause).toMatchObject({ type: 'InvalidRubric', nonRetryable: true });
  return error.cause?.message ?? '';
}

const rubricCalls = () =>
  worker.db
    .selectFrom('bench_llm_calls')
    .select(['key', 'attempt', 'scope_ids', 'state', 'charged_usd'])
    .where('bench_id', '=', benchId)
    .where('kind', '=', 'rubric')
    .orderBy('key')
    .execute();

const budget = () =>
  worker.db
    .selectFrom('bench_budgets')
    .select(['cap_usd', 'held_usd'])
    .where('id', '=', rubricScope(benchId))
    .executeTakeFirstOrThrow();

test('4 hypotheses, 4 reviews, 4 verdicts and the report are scored, each by a call of its own budget', async () => {
  const before = await readRecordedBench(worker.db, benchId);
  expect(await scoreBench()).toEqual({ work: 13, valid: 13, invalid: 0, overBudget: 0 });
  const scores = await readRubricScores(worker.db, benchId);
  const counts = (['generation', 'reflection', 'ranking', 'overview'] as const).map(
    (agent) => scores.filter((score) => score.agent === agent).length,
  );
  expect(counts).toEqual([4, 4, 4, 1]);
  for (const { outcome } of scores) {
    expect(outcome.state === 'valid' && outcome.marks.every(({ score }) => score >= 1 && score <= 5)).toBe(
      true,
    );
  }
  const calls = await rubricCalls();
  expect(calls).toHaveLength(13);
  expect(new Set(calls.flatMap(({ scope_ids }) => scope_ids))).toEqual(new Set([rubricScope(benchId)]));
  const { held_usd } = await budget();
  expect(held_usd).toBeCloseTo(
    calls.reduce((sum, { charged_usd }) => sum + charged_usd, 0),
    10,
  );
  // What the bench itself came to, its money and its files are as they were.
  expect(await readRecordedBench(worker.db, benchId)).toEqual(before);
});

test('asked again, it pays nothing and changes nothing; a larger sample keeps what there is and pays for the rest', async () => {
  const [calls, scores] = [await rubricCalls(), await readRubricScores(worker.db, benchId)];
  await scoreBench();
  expect(await rubricCalls()).toEqual(calls);
  expect(await readRubricScores(worker.db, benchId)).toEqual(scores);
  expect(await scoreBench({ agents: ['generation'], sample: 200 })).toMatchObject({ work: 6, valid: 6 });
  expect(await rubricCalls()).toHaveLength(calls.length + 2); // 6 hypotheses, 4 of them scored before
});

test('a cap that is reached leaves the rest unscored, and is not passed', async () => {
  const { held_usd: held } = await budget();
  const calls = await rubricCalls();
  const capUsd = held + 0.03; // a bound here is some $0.01
  const end = await scoreBench({ judge: 'sim:alder', capUsd });
  expect(end.overBudget).toBeGreaterThan(0);
  expect(end.valid + end.overBudget).toBe(13);
  expect((await budget()).held_usd).toBeLessThanOrEqual(capUsd);
  expect((await rubricCalls()).length).toBe(calls.length + end.valid);
  expect(await scoreBench({ judge: 'sim:alder', capUsd: 5 })).toMatchObject({ valid: 13, overBudget: 0 });
});

test('a judge whose answers are cut has no score, and says why', async () => {
  const judge = 'sim:birch,fail=truncated:1';
  expect(await scoreBench({ judge, agents: ['generation'], sample: 2 })).toMatchObject({
    valid: 0,
    invalid: 2,
  });
  const scores = (await readRubricScores(worker.db, benchId)).filter((score) => score.judge === judge);
  expect(scores.map(({ outcome }) => outcome)).toMatchObject([
    { state: 'invalid', reason: 'truncated' },
    { state: 'invalid', reason: 'truncated' },
  ]);
});

test('what cannot be scored is refused with all that is wrong, before anything is written', async () => {
  expect(await problemsOf({ benchId: 'bnc_of_nobody' })).toContain('no such bench');
  expect(await problemsOf({ judge: 'openai:unheard-of' })).toContain('no price for openai:unheard-of');
  expect(await problemsOf({ judge: 'opnai:gpt-5' })).toContain('did you mean openai?');
  const shape = await problemsOf({ sample: 0, capUsd: -1, agents: [] });
  for (const field of ['sample', 'capUsd', 'agents']) expect(shape).toContain(field);
});

test('a bench that runs still is not scored', async () => {
  const handle = await worker.start({
    ...{ goal: 'Find a drug.', candidates: ['one=sim:alder,latency=20000@direct', 'two=sim:elm@direct'] },
    ...{ matches: 0, reviewer: 'none', goldSet: 'none', n: 1, probe: false },
  });
  const find = () =>
    worker.db
      .selectFrom('bench_runs')
      .select('id')
      .where('workflow_id', '=', handle.workflowId)
      .executeTakeFirst();
  let running = await find();
  while (!running) running = await find();
  expect(await problemsOf({ benchId: running.id })).toMatch(/is (planned|running)/);
  await handle.cancel();
  await handle.result().catch(() => {});
});
