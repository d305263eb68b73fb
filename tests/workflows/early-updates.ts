import { WithStartWorkflowOperation } from '@temporalio/client';
import type { BenchSummary } from '../../core/bench-summary';
import { dropUpdate, raiseBudgetUpdate } from '../../workflows/bench-control';
import { readCalls } from './bench-rows';
import { HELD_INPUT, newBenchId } from './held-calls';
import type { Wheel } from './steered-bench';

/** Updates that come in the same moment as the bench: before it has a row, and before anybody has planned it. */
export function testEarlyUpdates(shared: () => Wheel): void {
  const startOf = (id: string, input: unknown) => {
    const { taskQueue } = shared().worker.temporal;
    const workflowId = `bench-${id}`;
    const options = { workflowId, taskQueue, args: [input], workflowIdConflictPolicy: 'FAIL' } as const;
    return new WithStartWorkflowOperation('bench', options);
  };

  test('a cap raised before there is a bench is raised: $5 becomes $7', async () => {
    const { client, db } = shared().worker;
    const id = newBenchId();
    const startWorkflowOperation = startOf(id, HELD_INPUT);
    await client.workflow.executeUpdateWithStart(raiseBudgetUpdate, {
      args: [{ scope: 'judge', capUsd: 7 }],
      startWorkflowOperation,
    });
    const budgets = db.selectFrom('bench_budgets').select('cap_usd').where('id', '=', `${id}/judge`);
    expect(await budgets.executeTakeFirstOrThrow()).toEqual({ cap_usd: 7 });
    await (await startWorkflowOperation.workflowHandle()).result();
  });

  test('a candidate dropped before there is a bench is never asked: 0 calls', async () => {
    const { client, db } = shared().worker;
    const id = newBenchId();
    const startWorkflowOperation = startOf(id, HELD_INPUT);
    await client.workflow.executeUpdateWithStart(dropUpdate, { args: ['two'], startWorkflowOperation });
    const summary = (await (await startWorkflowOperation.workflowHandle()).result()) as BenchSummary;
    expect(summary).toMatchObject({ status: 'finished', matches: { played: 0, unplayed: { dropped: 8 } } });
    expect((await readCalls(db, id)).filter(({ key }) => key.startsWith(`${id}/two/`))).toEqual([]);
    expect(summary.candidates.find(({ label }) => label === 'two')?.failures).toEqual({ dropped: 2 });
  });

  test('an update of a bench that cannot be planned ends with it', async () => {
    const { client } = shared().worker;
    const startWorkflowOperation = startOf(newBenchId(), { ...HELD_INPUT, n: -1 });
    const updated = client.workflow.executeUpdateWithStart(dropUpdate, {
      args: ['two'],
      startWorkflowOperation,
    });
    await expect(updated).rejects.toThrow();
    const ended = (await startWorkflowOperation.workflowHandle()).result();
    await expect(ended).rejects.toMatchObject({ cause: { type: 'InvalidBenchInput' } });
  });
}
