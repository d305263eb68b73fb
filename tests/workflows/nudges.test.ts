import type { BenchInput } from '../../core/bench-input';
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
  // One idea in every slot, and a broken record for every nudge.
  double = await startRawDouble((request) => {
    const isNudge = placeOf(request).key.endsWith('/turn/2');
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
