import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../db/database';
import { cancelBench } from '../../scripts/bench/cancel-bench';
import { watchBench } from '../../scripts/bench/watch-bench';
import { type BenchWorker, startBenchWorker } from '../workflows/bench-worker';
import { newBenchId } from '../workflows/held-calls';
import { until } from '../workflows/until';

const INPUT = {
  goal: 'Find a drug for a disease that has none.',
  candidates: ['one=sim:alder@direct', 'two=sim:elm@direct'],
  judge: 'sim:referee',
  ...{ goldSet: 'none', n: 1, matches: 1 },
};
const home = mkdtempSync(join(tmpdir(), 'untaken-bench-'));
let worker: BenchWorker;
let said: string[];

beforeAll(async () => {
  worker = await startBenchWorker();
  Object.assign(process.env, {
    CO_SCIENTIST_HOME: home,
    ...worker.database.env,
    TEMPORAL_ADDRESS: worker.temporal.address,
  });
}, 60_000);
beforeEach(() => {
  said = [];
  const hear = (text: unknown): boolean => said.push(String(text)) > 0;
  jest.spyOn(process.stderr, 'write').mockImplementation(hear);
  jest.spyOn(process.stdout, 'write').mockImplementation(hear);
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => {
  await worker.close();
  rmSync(home, { recursive: true });
});

/** Started on a queue that nobody serves. */
async function startUntaken() {
  const benchId = newBenchId();
  const taskQueue = `${worker.temporal.taskQueue}-${benchId}`;
  const workflowId = `bench-${benchId}`;
  const handle = await worker.client.workflow.start('bench', { taskQueue, workflowId, args: [INPUT] });
  return { benchId, taskQueue, handle };
}

test('a bench that no worker has taken is cancelled: the worker that comes makes 0 calls and writes no row', async () => {
  const { benchId, taskQueue, handle } = await startUntaken();
  await cancelBench(benchId, { isJson: false });
  expect(said).toEqual([`cancelled ${benchId}: no worker had taken it yet, so nothing was paid\n`]);
  const late = await startBenchWorker({}, {}, { taskQueue });
  await expect(handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
  expect(await late.db.selectFrom('bench_runs').select('id').execute()).toEqual([]);
  expect(await late.db.selectFrom('bench_llm_calls').select('key').execute()).toEqual([]);
  await late.close();
});

test('watch waits for the worker of a bench that none has taken, and follows it to its end', async () => {
  const { benchId, taskQueue } = await startUntaken();
  const watching = watchBench(benchId, { isJson: true });
  await until('it waits', async () => said.length > 0);
  expect(said).toEqual(['no worker has taken the bench yet; it waits for one\n']);
  const db = openDatabase(worker.database.workerUrl, { maxConnections: 5 });
  const late = await startBenchWorker({ db }, {}, { taskQueue });
  await watching;
  const summary = said.find((text) => text.startsWith('{'));
  expect(JSON.parse(summary ?? '')).toMatchObject({ benchId, status: 'finished', judge: { verdicts: 2 } });
  await late.close();
  await db.destroy();
});

test('one that ends before a worker has taken it is told, and one that nobody started is none', async () => {
  const { benchId, handle } = await startUntaken();
  const watching = watchBench(benchId, { isJson: true });
  await until('it waits', async () => said.length > 0);
  await handle.terminate();
  await expect(watching).rejects.toThrow(`bench ${benchId} was terminated in Temporal`);
  const unknown = newBenchId();
  await expect(cancelBench(unknown, { isJson: false })).rejects.toThrow(`there is no bench "${unknown}"`);
});
