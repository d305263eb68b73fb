import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import type { BenchSummary } from '../../core/bench-summary';
import { sessionKey } from '../../core/ids';
import type { ScipivotSubject } from '../../core/scipivot/summary';
import { openDatabase } from '../../db/database';
import { readScipivotSummary } from '../../db/scipivot-summary';
import { writeRunFiles } from '../../scripts/scipivot/run-files';
import { buildScoreReport } from '../../scripts/scipivot/score-report';
import type { Stack } from '../../scripts/stack/ensure-stack';
import { type LlmDouble, startLlmDouble } from '../doubles/llm-double';
import type { RawReply, SeenRequest } from '../doubles/raw-llm-double';
import { readBenchId, readCalls } from './bench-rows';
import { chatReply, errorReply, placeOf } from './double-answers';
import { fixtureQuestions, type ScipivotWorker, startScipivotWorker } from './scipivot-worker';
import { until } from './until';

jest.setTimeout(120_000);

const CASES = 24;
const ALONE = { scipivot: 'fixture', n: 0, probe: false };
const PRICES = { 'openai-compatible:talker': { inputUsdPerMTok: 1, outputUsdPerMTok: 1 } };

/** What the double does with a session, by its key in the bench and its attempt; a test sets it. */
let reply: (request: SeenRequest) => RawReply = (request) => chatReply(request, { text: 'A' });
let double: LlmDouble;
let worker: ScipivotWorker;
/** A stack without a grader takes its 30 s to be sure that nobody comes: it begins with the file. */
let blind: ScipivotWorker;
let askedBlindly: Promise<unknown>;
beforeAll(async () => {
  double = await startLlmDouble({ faultFor: (request) => reply(request) });
  worker = await startScipivotWorker(fixtureQuestions(CASES), {}, double.env);
  blind = await startScipivotWorker(fixtureQuestions(2), { graderDb: null });
  const handle = await blind.start({ ...ALONE, candidates: ['one=sim:elm'] });
  askedBlindly = handle.result().catch((error: unknown) => error);
});
afterAll(async () => {
  await worker.close();
  await blind.close();
  await double.stop();
});

function subject(summary: BenchSummary, name: string): ScipivotSubject {
  const found = summary.scipivot?.subjects.find((one) => one.subject === name);
  if (!found) throw new Error(`nobody asked is called ${name}`);
  return found;
}

async function settledKeys(benchId: string): Promise<string[]> {
  const calls = await readCalls(worker.db, benchId);
  return calls.filter(({ state }) => state === 'settled').map(({ key }) => key);
}

describe('a run on 24 cases', () => {
  let summary: BenchSummary;
  beforeAll(async () => {
    summary = await worker.run({
      ...ALONE,
      budgetPerCandidateUsd: 100, // a timeout is charged at its bound
      candidates: [
        'knows=sim:elm,accuracy=1',
        'always-a=sim:elm,answer=always-a',
        'lost=sim:elm,fail=timeout:0.8,fail=refused:0.1',
      ],
    });
  });

  test('scores who knows 100 %, always-A 50 % with order consistency 0 and an A-rate of 1', () => {
    expect(summary.status).toBe('finished');
    expect(summary.simulated).toBe(true);
    expect(subject(summary, 'knows').score).toMatchObject({ mean: 1, orderConsistency: 1, nSessions: 48 });
    expect(subject(summary, 'always-a').score).toMatchObject({
      mean: 0.5,
      interval: { low: 0.5, high: 0.5 },
      orderConsistency: 0,
      shownFirstRate: 1,
      positionBias: { firstFirst: 24, secondSecond: 0 },
    });
  });

  test('holds 48 sessions of each, every one a call of its own that is paid once and asked with the prompt alone', async () => {
    const prompts = readFileSync(path.join(worker.publicDir, 'prompts.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { case_id: string; order: 'ab' | 'ba'; prompt: string });
    const keys = await settledKeys(summary.benchId);
    expect(new Set(keys).size).toBe(keys.length);
    const rows = await worker.db
      .selectFrom('bench_llm_calls')
      .select(['key', 'request', 'kind', 'scope_ids'])
      .where('bench_id', '=', summary.benchId)
      .where('attempt', '=', 1)
      .execute();
    expect(rows).toHaveLength(3 * 48);
    for (const { case_id, order, prompt } of prompts) {
      const key = sessionKey(summary.benchId, 'knows', case_id, order);
      const row = rows.find((one) => one.key === key);
      expect(row).toMatchObject({
        kind: 'scipivot',
        scope_ids: [`${summary.benchId}/knows`, summary.benchId],
      });
      expect(JSON.parse(row!.request)).toMatchObject({
        system: '',
        turns: [{ role: 'user', text: prompt }],
        tools: [],
      });
    }
  });

  test('counts refusals, and timeouts that four tries did not mend, as wrong by their names', async () => {
    const lost = subject(summary, 'lost');
    const { timeout, refused, ...others } = lost.score!.failures;
    expect(timeout).toBeGreaterThan(5); // 48 · .8⁴ = 19.7 expected
    expect(refused).toBeGreaterThan(0); // 4.8 expected
    expect(Object.values(others)).toEqual([0, 0, 0, 0, 0]);
    expect(lost).toMatchObject({ nEnded: 48, score: { nAnsweredSessions: 48 - timeout - refused } });
    const calls = await readCalls(worker.db, summary.benchId);
    const refusals = calls.filter(({ key, state }) => key.includes('/lost/') && state === 'settled');
    expect(refusals).toHaveLength(48 - timeout); // each refusal was paid for once, and not asked again
  });

  test('compares all 3 pairs on the same cases: who knows is better than always-A by 50 points', () => {
    const pairs = summary.scipivot!.differences;
    expect(pairs.map(({ a, b }) => `${a}/${b}`)).toEqual(['knows/always-a', 'knows/lost', 'always-a/lost']);
    expect(pairs[0]).toMatchObject({ mean: 0.5, word: 'better' });
  });

  test('writes files of which `scipivot score` makes the same score.json, byte for byte', async () => {
    const { plan } = await worker.db
      .selectFrom('bench_runs')
      .select('plan')
      .where('id', '=', summary.benchId)
      .executeTakeFirstOrThrow();
    const scipivot = await readScipivotSummary(worker.db, summary.benchId, plan);
    const stack = { databaseUrls: { grader: worker.database.graderUrl } } as Stack;
    const files = path.join(worker.folder, 'run');
    await writeRunFiles(worker.db, stack, { ...summary, scipivot: scipivot! }, files);
    expect(readdirSync(files).sort()).toEqual(['01-knows', '02-always-a', '03-lost', 'run.json']);
    for (const folder of ['01-knows', '02-always-a', '03-lost']) {
      const report = await buildScoreReport({
        references: path.join(worker.graderDir, 'references.json'),
        predictions: path.join(files, folder, 'predictions.jsonl'),
      });
      const text = readFileSync(path.join(files, folder, 'score.json'), 'utf8');
      expect(text).toBe(`${JSON.stringify(report, null, 2)}\n`);
    }
    const run = JSON.parse(readFileSync(path.join(files, 'run.json'), 'utf8'));
    expect(run).toMatchObject({
      kind: 'scipivot_run',
      simulated: true,
      adapter: null,
      diagnostic_only: true,
      eligible_for_promotion: false,
      full_experiment_status: 'not_reproduced_high_cost',
      pin: { status: 'unpinned' },
      published: { label: expect.stringContaining('not run here') },
    });
    expect(JSON.stringify(run)).not.toMatch(/case-[0-9a-f]{16}/);
  });
});

describe('beside a whole bench', () => {
  test('judges are asked before they judge and pay from their cap, candidates after and pay from theirs', async () => {
    const summary = await worker.run({
      goal: 'Find a drug for a disease that has none.',
      candidates: ['one=sim:alder@direct', 'two=sim:elm@direct'],
      judge: 'sim:referee',
      n: 1,
      matches: 2,
      scipivot: 'fixture',
      probe: false,
    });
    expect(summary.scipivot!.subjects.map(({ subject, role }) => [subject, role])).toEqual([
      ['one', 'candidate'],
      ['two', 'candidate'],
      ['sim:referee', 'judge'],
    ]);
    expect(subject(summary, 'sim:referee').score?.mean).toBe(1); // its accuracy in presets/sim-models.json
    const rows = await worker.db
      .selectFrom('bench_llm_calls')
      .select(['key', 'kind', 'sent_at', 'scope_ids'])
      .where('bench_id', '=', summary.benchId)
      .orderBy('sent_at')
      .execute();
    const order = rows.map(({ key, kind }) => (kind === 'scipivot' ? key.split('/')[2] : kind));
    const last = (what: string) => order.lastIndexOf(what);
    expect(last('sim:referee')).toBeLessThan(order.indexOf('judge'));
    expect(last('judge')).toBeLessThan(order.indexOf('one'));
    const judged = rows.find(({ key }) => key.includes('/scipivot/sim:referee/'));
    expect(judged?.scope_ids).toEqual([`${summary.benchId}/judge`, summary.benchId]);
    const sessions = summary.scipivot!.subjects.reduce((sum, one) => sum + one.costUsd, 0);
    expect(sessions).toBeGreaterThan(0);
    expect(subject(summary, 'one').costUsd).toBeLessThan(summary.candidates[0]!.costUsd);
    expect(summary.matches.played).toBe(2);
  });
});

describe('answers over HTTP', () => {
  const talker = { ...ALONE, candidates: ['talker=openai-compatible:talker'], prices: PRICES };

  test('of prose are asked for once each, 48 requests, and all are unparseable', async () => {
    reply = (request) => chatReply(request, { text: 'I would go with A, on the whole.' });
    const before = double.journal.length;
    const summary = await worker.run(talker);
    expect(double.journal.length - before).toBe(48);
    expect(subject(summary, 'talker').score).toMatchObject({ mean: 0, failures: { unparseable: 48 } });
    const ids = double.journal.slice(before).map(({ callId }) => callId);
    expect(new Set(ids).size).toBe(48);
  });

  test('are asked for again after a 500 and never after an answer: 2 requests where the first failed', async () => {
    const isFirst = (request: SeenRequest) => placeOf(request).attempt === 1;
    reply = (request) =>
      placeOf(request).key.endsWith('/ab') && isFirst(request)
        ? errorReply(500)
        : chatReply(request, { text: '{"answer": "A"}' });
    const before = double.journal.length;
    const summary = await worker.run(talker);
    expect(double.journal.length - before).toBe(24 * 2 + 24);
    expect(subject(summary, 'talker').score).toMatchObject({ mean: 0.5, nAnsweredSessions: 48 });
  });

  test('that are none hold the run once 20 have ended: a wrong key is not scored 0 % without a word', async () => {
    reply = () => errorReply(401);
    const workflowId = `${worker.temporal.taskQueue}-held`;
    const handle = await worker.start({ ...talker, maxInFlight: 5 }, workflowId);
    await until('held', async () => {
      const rows = await worker.db
        .selectFrom('bench_scipivot_subjects')
        .innerJoin('bench_runs', 'bench_runs.id', 'bench_id')
        .select('bench_scipivot_subjects.hold_reason as reason')
        .where('workflow_id', '=', workflowId)
        .execute();
      return rows[0]?.reason === 'none of the first 20 sessions has an answer';
    });
    reply = (request) => chatReply(request, { text: 'A' });
    await handle.signal('unpause');
    const summary = (await handle.result()) as BenchSummary;
    const { failures, nAnsweredSessions } = subject(summary, 'talker').score!;
    expect(failures.provider_error).toBeGreaterThanOrEqual(20);
    expect(failures.provider_error).toBeLessThanOrEqual(24); // the 20, and what was in flight beside the last of them
    expect(nAnsweredSessions).toBe(48 - failures.provider_error);

    // A resume asks again what a fault of transport had left without an answer, and nothing else.
    const before = double.journal.length;
    const resumed = await worker.run({ resume: summary.benchId });
    expect(double.journal.length - before).toBe(failures.provider_error);
    expect(subject(resumed, 'talker').score).toMatchObject({ mean: 0.5, nAnsweredSessions: 48 });
  });
});

describe('money', () => {
  test('that ends leaves a run ungraded; after the cap was raised a resume asks the rest alone and grades it', async () => {
    const candidates = ['poor=sim:elm,accuracy=1'];
    const summary = await worker.run({ ...ALONE, candidates, budgetPerCandidateUsd: 0.045 });
    const poor = subject(summary, 'poor');
    expect(poor).toMatchObject({ state: 'over_budget', score: null });
    const paid = await settledKeys(summary.benchId);
    expect(paid).toHaveLength(poor.nEnded);
    expect(poor.nEnded).toBeLessThan(48);
    expect(summary.candidates[0]!.costUsd).toBeLessThanOrEqual(0.045);
    await worker.db
      .updateTable('bench_budgets')
      .set({ cap_usd: 1 })
      .where('id', '=', `${summary.benchId}/poor`)
      .execute();
    const resumed = await worker.run({ resume: summary.benchId });
    expect(subject(resumed, 'poor')).toMatchObject({ state: 'asked', score: { mean: 1 } });
    const all = await settledKeys(summary.benchId);
    expect(all).toHaveLength(48);
    expect(paid.every((key) => all.includes(key))).toBe(true);
  });

  test('that was raised while it ran opens the sessions again: none is missing', async () => {
    const workflowId = `${worker.temporal.taskQueue}-raised`;
    const candidates = ['poor=sim:elm,accuracy=1', 'slow=sim:elm,latency=400'];
    const handle = await worker.start(
      { ...ALONE, candidates, budgetPerCandidateUsd: 0.045, maxInFlight: 4 },
      workflowId,
    );
    const benchId = await idOf(workflowId);
    await until('over budget', async () => (await stateOf(benchId, 'poor')) === 'over_budget');
    await handle.executeUpdate('raiseBudget', { args: [{ scope: 'poor', capUsd: 1 }] });
    const summary = (await handle.result()) as BenchSummary;
    expect(subject(summary, 'poor').score).toMatchObject({ mean: 1, failures: { missing: 0 } });
  });
});

describe('control', () => {
  test('a candidate dropped while it is asked is not graded; the other is', async () => {
    const workflowId = `${worker.temporal.taskQueue}-dropped`;
    const candidates = ['one=sim:elm,accuracy=1', 'slow=sim:elm,latency=2000'];
    const handle = await worker.start({ ...ALONE, candidates, maxInFlight: 4 }, workflowId);
    const benchId = await idOf(workflowId);
    await until('asked', async () => (await stateOf(benchId, 'one')) === 'asked');
    await handle.executeUpdate('drop', { args: ['slow'] });
    const summary = (await handle.result()) as BenchSummary;
    expect(subject(summary, 'one').score?.mean).toBe(1);
    expect(subject(summary, 'slow').score).toBeNull();
  });

  test('a cancelled run keeps its sessions, grades nobody, and a resume pays for the rest alone', async () => {
    const workflowId = `${worker.temporal.taskQueue}-cancelled`;
    const candidates = ['one=sim:elm,accuracy=1,latency=150'];
    const handle = await worker.start({ ...ALONE, candidates, maxInFlight: 4 }, workflowId);
    const benchId = await idOf(workflowId);
    await until('some ended', async () => (await settledKeys(benchId)).length >= 8);
    await handle.cancel();
    await expect(handle.result()).rejects.toThrow();
    const kept = await settledKeys(benchId);
    const rows = await worker.db.selectFrom('bench_scipivot_scores').selectAll().execute();
    expect(rows.filter((row) => row.bench_id === benchId)).toEqual([]);
    const resumed = await worker.run({ resume: benchId });
    expect(subject(resumed, 'one').score).toMatchObject({ mean: 1, nAnsweredSessions: 48 });
    expect(await settledKeys(benchId)).toEqual(expect.arrayContaining(kept));
    expect(await settledKeys(benchId)).toHaveLength(48);
  });
});

describe('what is refused before a cent is spent', () => {
  test('an unknown data set, with those that are loaded; no row is written', async () => {
    const workflowId = `${worker.temporal.taskQueue}-unknown`;
    const input = { ...ALONE, scipivot: 'offical', candidates: ['one=sim:elm'] };
    const handle = await worker.start(input, workflowId);
    await expect(handle.result()).rejects.toMatchObject({
      cause: { type: 'InvalidBenchInput', message: expect.stringContaining('loaded: fixture') },
    });
    await expect(readBenchId(worker.db, workflowId)).rejects.toThrow();
  });

  test('workers whose role may read the references, and graders whose role may not', async () => {
    const unparted = await startScipivotWorker(fixtureQuestions(2));
    const owner = openDatabase(unparted.database.ownerUrl, { maxConnections: 1 });
    try {
      await sql`GRANT SELECT ON bench_scipivot_references TO bench_worker`.execute(owner);
      await sql`REVOKE SELECT ON bench_scipivot_references, bench_scipivot_keys FROM bench_grader`.execute(
        owner,
      );
      await sql`REVOKE SELECT ON bench_scipivot_case_scores FROM bench_grader`.execute(owner);
      const handle = await unparted.start({ ...ALONE, candidates: ['one=sim:elm'] });
      await expect(handle.result()).rejects.toMatchObject({
        cause: {
          type: 'ProviderUnavailable',
          message: expect.stringMatching(
            /role bench_worker of the workers may read the references[\s\S]*role bench_grader of the grader may not/,
          ),
        },
      });
      expect(await unparted.db.selectFrom('bench_llm_calls').select('key').execute()).toEqual([]);
    } finally {
      await owner.destroy();
      await unparted.close();
    }
  });

  test('a stack without a grader: nobody could say what the answers are worth', async () => {
    expect(await askedBlindly).toMatchObject({
      cause: { message: expect.stringContaining('no running worker has a grader role') },
    });
  });
});

async function idOf(workflowId: string): Promise<string> {
  await until('it has rows', async () =>
    readBenchId(worker.db, workflowId).then(
      () => true,
      () => false,
    ),
  );
  return readBenchId(worker.db, workflowId);
}

async function stateOf(benchId: string, name: string): Promise<string | undefined> {
  const row = await worker.db
    .selectFrom('bench_scipivot_subjects')
    .select('state')
    .where('bench_id', '=', benchId)
    .where('subject', '=', name)
    .executeTakeFirst();
  return row?.state;
}
