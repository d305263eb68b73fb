import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WorkflowFailedError } from '@temporalio/client';
import { reportMarkdown } from '../../activities/evaluation/figures';
import type { RubricRequest } from '../../activities/evaluation/open-rubric';
import { hashOf } from '../../activities/reporting/bundle/bundle';
import { findBundles, readBundle } from '../../activities/reporting/bundle/read-bundle';
import { verifyBundles } from '../../activities/reporting/verify/verify-bundle';
import { writeArtifacts } from '../../activities/reporting/write-artifacts';
import { rubricScope } from '../../core/ids';
import { makeRescore } from '../../core/report/stored-rescore';
import { readRecordedBench } from '../../db/export-reads';
import { importBench } from '../../db/import-bench';
import { saveRescore } from '../../db/rescores';
import { readRubricScores } from '../../db/rubric-scores';
import type { rubric } from '../../workflows';
import { filesOf } from '../activities/reporting/files-of';
import { testDatabaseOfFile } from '../stack/test-database';
import { type BenchWorker, startBenchWorker } from './bench-worker';

const owner = testDatabaseOfFile().open('owner', { maxConnections: 2 });
let worker: BenchWorker;
let benchId: string;
const folder = mkdtempSync(join(tmpdir(), 'rubric-'));
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
  await writeArtifacts(worker.db, benchId, join(folder, 'unscored'));
});
afterAll(async () => {
  await worker.close();
  rmSync(folder, { recursive: true });
});

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
    .select(['key', 'attempt', 'scope_ids', 'state', 'charged_usd', 'sent_at', 'ended_at'])
    .select(['input_tok', 'output_tok', 'request'])
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
  // What the bench itself came to and its money are as they were.
  expect(before.rubric).toBeNull();
  const after = await readRecordedBench(worker.db, benchId);
  expect(after).toEqual({ ...before, rubric: after.rubric });
  expect(after.rubric?.scores).toEqual(scores);
  expect(after.rubric?.budget.heldUsd).toBe(held_usd);
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

test('with one in flight at most, no score is asked for before the last one is in', async () => {
  const judge = 'sim:elm,latency=30';
  expect(await scoreBench({ judge, agents: ['generation'], sample: 4, maxInFlight: 1 })).toMatchObject({
    valid: 4,
  });
  const calls = (await rubricCalls())
    .filter(({ key }) => key.includes(judge))
    .sort((one, other) => Number(one.sent_at) - Number(other.sent_at));
  expect(calls).toHaveLength(4);
  for (const [i, { sent_at }] of calls.slice(1).entries()) {
    expect(Number(sent_at)).toBeGreaterThanOrEqual(Number(calls[i]!.ended_at));
  }
});

test('asked again at another price, what the ledger has booked stays: only what is new is booked at the new one', async () => {
  const judge = 'sim:elm';
  const ofJudge = async () => (await rubricCalls()).filter(({ key }) => key.includes(`/${judge}/`));
  const cost = ({ input_tok, output_tok }: { input_tok: number | null; output_tok: number | null }) =>
    (input_tok ?? Number.NaN) * 2e-6 + (output_tok ?? Number.NaN) * 10e-6;
  await scoreBench({
    ...{ judge, agents: ['generation'], sample: 2 },
    price: { inputUsdPerMTok: 2, outputUsdPerMTok: 10 },
  });
  const first = await ofJudge();
  expect(first).toHaveLength(2);
  for (const call of first) expect(call.charged_usd).toBeCloseTo(cost(call), 12);
  await scoreBench({
    ...{ judge, agents: ['generation'], sample: 3, capUsd: 100 },
    price: { inputUsdPerMTok: 200, outputUsdPerMTok: 1000 },
  });
  const now = await ofJudge();
  expect(now).toHaveLength(3);
  expect(now).toEqual(expect.arrayContaining(first));
  const [added] = now.filter(({ key }) => !first.some((call) => call.key === key));
  expect(added!.charged_usd).toBeCloseTo(100 * cost(added!), 10);
});

test('the report has what judges gave, and no judge of the report is shown it', async () => {
  const text = reportMarkdown(await readRecordedBench(worker.db, benchId));
  expect(text).toContain('### Rubric scores');
  expect(text).toContain('Hypotheses scored by sim:referee, rubric generation 1');
  expect(text).toContain('sim:referee is simulated: its scores mean nothing.');
  const later = (await rubricCalls()).find(({ key }) => key.includes('/overview/1/sim:alder/'));
  expect(later?.request).toContain('### Judge');
  expect(later?.request).not.toContain('### Rubric scores');
});

test('a report that says more by now, as after a rescore, does not undo its score', async () => {
  const record = await readRecordedBench(worker.db, benchId);
  const set = {
    ...{ name: 'mine', version: 1 },
    source: { title: 'A list', publisher: 'Me', id: 'list-1', url: 'https://example.org/list' },
    ...{ publishedOn: '2026-01-31', criteria: ['chosen by me'] },
    entities: [{ name: 'Unobtainium', aliases: [] }],
  };
  const before = await rubricCalls();
  await saveRescore(worker.deps.graderDb!, benchId, makeRescore(record, set, 'file'));
  const asked = await readRecordedBench(worker.db, benchId);
  expect(reportMarkdown({ ...asked, rubric: null })).not.toBe(reportMarkdown({ ...record, rubric: null }));
  expect(await scoreBench({ agents: ['overview'] })).toMatchObject({ valid: 1, invalid: 0 });
  expect(await rubricCalls()).toEqual(before);
});

test('its bundle has one file of scores and one for each call more, verifies, and comes back the same from another database', async () => {
  const [scored, again] = [join(folder, 'scored'), join(folder, 'again')];
  await writeArtifacts(worker.db, benchId, scored);
  const [before, after] = [filesOf(join(folder, 'unscored')), filesOf(scored)];
  const own = `/${benchId}/bench/${benchId}.json`;
  const added = Object.keys(after).filter((path) => !(path in before));
  const keys = new Set((await rubricCalls()).map(({ key }) => key));
  expect(added.filter((path) => path.startsWith(`/${benchId}/transcripts/rubric/`))).toHaveLength(keys.size);
  expect(added.filter((path) => !path.includes('/transcripts/'))).toEqual([
    `/${benchId}/rubric/${benchId}.json`,
  ]);
  const parse = (text: string) => JSON.parse(text) as { files: Record<string, object>; rescores?: unknown };
  const { files, rescores: _, ...rest } = parse(after[own]!);
  expect(rest).toEqual({ ...parse(before[own]!), files: undefined });
  expect(before[own]).not.toContain('rubric');
  expect(Object.keys(files.rubric!)).toEqual([benchId]);
  for (const path of Object.keys(before)) if (path !== own) expect(after[path]).toBe(before[path]);

  const { benches, problems } = verifyBundles(scored);
  expect([problems, benches.map(({ differences }) => differences)]).toEqual([[], [[]]]);
  const bundle = readBundle(findBundles(scored)[0]!, scored);
  if (Array.isArray(bundle)) throw new Error(JSON.stringify(bundle));
  await importBench(owner, bundle.bench, [...bundle.attempts(), ...bundle.rubricAttempts()]);
  await writeArtifacts(owner, benchId, again);
  expect(filesOf(again)).toEqual(after);
});

test.each([
  [
    'a mark',
    (text: string) => text.replace(/"score": \d/, '"score": 9'),
    'Too big: expected number to be <=5',
  ],
  ['a mark', (text: string) => text.replace(/"score": [1-4]/, '"score": 5'), '.score'],
  ['a reason', (text: string) => text.replace(/"reason": "truncated"/, '"reason": "no_call"'), 'reason'],
  ['the sum', (text: string) => text.replace(/"heldUsd": [\d.]+/, '"heldUsd": 0'), 'heldUsd'],
  [
    'a subject',
    (text: string) => text.replace(/"subject": "(.*)\/one\/1"/, '"subject": "$1/one/9"'),
    'its place is',
  ],
  ['the call', (text: string) => text.replace(/("callKey": ".*)\/one\/1"/, '$1/one/9"'), 'its place is'],
] as const)('verify finds %s of the scores rewritten together with its hash', async (_, change, told) => {
  const forged = mkdtempSync(join(folder, 'forged-'));
  cpSync(join(folder, 'scored'), forged, { recursive: true });
  const path = (part: string) => join(forged, benchId, part, `${benchId}.json`);
  const before = readFileSync(path('rubric'), 'utf8');
  const after = change(before);
  expect(after).not.toBe(before);
  writeFileSync(path('rubric'), after);
  const own = readFileSync(path('bench'), 'utf8');
  writeFileSync(path('bench'), own.replace(hashOf(before), hashOf(after)));
  const { benches, problems } = verifyBundles(forged);
  const found = [
    ...problems.map(({ message }) => message),
    ...benches.flatMap(({ differences }) => differences.map(({ field }) => field)),
  ];
  expect(found.length).toBeGreaterThan(0);
  expect(found.join()).toContain(told);
  expect(found.join()).not.toContain('other bytes');
});

test('what cannot be scored is refused with all that is wrong, before anything is written', async () => {
  expect(await problemsOf({ benchId: 'bnc_of_nobody' })).toContain('no such bench');
  expect(await problemsOf({ judge: 'openai:unheard-of' })).toContain('no price for openai:unheard-of');
  expect(await problemsOf({ judge: 'opnai:gpt-5' })).toContain('did you mean openai?');
  const shape = await problemsOf({ sample: 0, capUsd: -1, agents: [] });
  expect(await problemsOf({ maxInFlight: 0 })).toContain('maxInFlight');
  expect(await problemsOf({ judge: 'openai:unheard-of' })).toContain(
    'add --price IN,OUT, as in --price 1.25,10',
  );
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
