import type { BenchPlan } from '../../core/bench-plan';
import { waitingQueues } from '../../scripts/bench/waiting-queues';
import { type BenchWorker, startBenchWorker } from '../workflows/bench-worker';
import { HELD_INPUT } from '../workflows/held-calls';
import { until } from '../workflows/until';

let worker: BenchWorker;
beforeAll(async () => {
  worker = await startBenchWorker();
});
afterAll(() => worker.close());

const WAITED_MS = 1_000;

test('where the only worker has no key, its provider is what waits; where there is no worker, it is rows', async () => {
  const keyless = await worker.start(HELD_INPUT);
  const workflowId = `${worker.temporal.taskQueue}-unserved`;
  const taskQueue = workflowId;
  const unserved = await worker.client.workflow.start('bench', { taskQueue, workflowId, args: [HELD_INPUT] });
  const row = () =>
    worker.db
      .selectFrom('bench_runs')
      .select('plan')
      .where('workflow_id', '=', keyless.workflowId)
      .executeTakeFirst();
  await until('it is planned', async () => (await row()) !== undefined);
  const plan = (await row())?.plan as BenchPlan;
  const waiting = async (id: string) => (await waitingQueues(worker.client, id, plan, WAITED_MS)).join();
  await until('its key is missed', async () => {
    return (await waiting(keyless.workflowId)) === 'provider.openai-compatible';
  });
  await until('a worker is missed', async () => (await waiting(workflowId)) === 'rows');
  expect(await waitingQueues(worker.client, 'no-such-workflow', plan, WAITED_MS)).toEqual([]);
  await Promise.all([keyless.terminate(), unserved.terminate()]);
});
