import type { BenchInput } from '../../core/bench-input';
import { candidateScope } from '../../core/ids';
import { raiseBudget } from '../../db/ledger';
import { type RawDouble, startRawDouble } from '../doubles/raw-llm-double';
import { startShortHistoryServer } from '../stack/short-history-server';
import { testTemporal } from '../stack/test-temporal';
import { readCalls } from './bench-rows';
import { type BenchWorker, startBenchWorker } from './bench-worker';
import { forcedTool, goodArguments, placeOf, recordReply } from './double-answers';

const SLOTS = 30;
const FREE = { inputUsdPerMTok: 0, outputUsdPerMTok: 0 };
const INPUT: BenchInput = {
  goal: 'Find a drug for a disease that has none.',
  candidates: ['same=openai-compatible:same@direct', 'other=sim:alder@direct'],
  judge: 'sim:referee',
  reviewer: 'none',
  goldSet: 'none',
  n: SLOTS,
  matches: 0,
  generation: { maxTurns: 1 },
  probe: false,
  prices: { 'openai-compatible:same': FREE },
};

let server: Awaited<ReturnType<typeof startShortHistoryServer>>;
let double: RawDouble;
let worker: BenchWorker;
beforeAll(async () => {
  server = await startShortHistoryServer(testTemporal().executable);
  // One idea in every slot, and a broken record for every nudge; the poor one has another idea when it is nudged.
  double = await startRawDouble((request) => {
    const { key } = placeOf(request);
    const isNudge = key.endsWith('/turn/2');
    if (key.startsWith('poor/')) {
      const idea = isNudge ? 'An old antimalarial against autophagy, given by the week' : 'metformin';
      return recordReply(request, goodArguments(forcedTool(request), idea), { input: 1, output: 500 });
    }
    const values = isNudge ? { title: 'no more' } : goodArguments(forcedTool(request), 'metformin');
    return recordReply(request, values);
  });
  const env = { OPENAI_COMPATIBLE_API_KEY: 'key', OPENAI_COMPATIBLE_BASE_URL: `${double.url}/compatible/v1` };
  worker = await startBenchWorker({}, env, { address: server.address });
});
afterAll(async () => {
  await worker?.close();
  await double?.stop();
  await server?.stop();
});

test('29 duplicates whose nudges all fail are nudged once each, in however many runs, and the candidate ends', async () => {
  const summary = await worker.run(INPUT);
  const same = summary.candidates.find(({ label }) => label === 'same');
  expect(same).toMatchObject({ nHypotheses: 1, failures: { duplicate: SLOTS - 1 } });
  const calls = (await readCalls(worker.db, summary.benchId)).filter(({ key }) => key.includes('/same/'));
  expect(calls).toHaveLength(SLOTS + SLOTS - 1);
  let runs = 0;
  const children: string[] = [];
  for await (const { type, workflowId } of worker.client.workflow.list({
    query: `WorkflowId STARTS_WITH "${summary.benchId}/same"`,
  })) {
    if (type === 'candidate') runs += 1;
    if (workflowId.includes('/nudge-')) children.push(workflowId);
  }
  expect(runs).toBeGreaterThanOrEqual(3);
  expect(children).toHaveLength(SLOTS - 1);
});

test('a nudge that could not be paid for is made by a resume once the cap is raised: $1.00 is held, a nudge takes $1.00 of $1.60', async () => {
  const poor = 'openai-compatible:poor';
  const { benchId, candidates } = await worker.run({
    ...INPUT,
    candidates: [`poor=${poor}@direct`, 'other=sim:alder@direct'],
    n: 2,
    matches: 2,
    budgetPerCandidateUsd: 1.6,
    // A call is bounded by $1.00 (1,000 tokens at $1,000 a million) and billed $0.50.
    generation: { maxTurns: 1, maxOutputTokens: 1_000 },
    prices: { [poor]: { inputUsdPerMTok: 0, outputUsdPerMTok: 1_000 } },
  });
  expect(candidates[0]).toMatchObject({ nHypotheses: 1, failures: { duplicate: 1 } });
  // Without money for it, there is nothing to resume.
  const nothing = { cause: { message: expect.stringContaining('there is nothing left to do') } };
  await expect(worker.run({ resume: benchId })).rejects.toMatchObject(nothing);
  await raiseBudget(worker.db, candidateScope(`${benchId}/poor`), 5);
  const resumed = await worker.run({ resume: benchId });
  expect(resumed.candidates[0]).toMatchObject({ nHypotheses: 2, failures: {}, costUsd: 1.5 });
  const matches = await worker.db
    .selectFrom('bench_matches')
    .select('state')
    .where('bench_id', '=', benchId)
    .execute();
  expect(matches.map(({ state }) => state)).toEqual(['played', 'played']);
  // And once it has been answered, no resume asks for it again.
  await expect(worker.run({ resume: benchId })).rejects.toMatchObject(nothing);
});
