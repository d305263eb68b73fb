import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchSummary } from '../../core/bench-summary';
import { readBenchRows, readCalls } from './bench-rows';
import { HELD_INPUT } from './held-calls';
import { readRun, startHeldBench, untilLanded, untilState, type Wheel } from './steered-bench';
import { temporalCli } from './temporal-cli';
import { until } from './until';

/** No call takes so long here: what does not begin in this time waits. */
const QUIET_MS = 700;

/** `of` the bench itself, or of the child whose workflow id goes on so after the bench's. */
const RESETS = [
  { to: 'FirstWorkflowTask', of: 'bench', during: 'generation' },
  { to: 'LastWorkflowTask', of: 'bench', during: 'generation' },
  { to: 'FirstWorkflowTask', of: 'bench', during: 'judging' },
  { to: 'LastWorkflowTask', of: 'bench', during: 'judging' },
  { to: 'FirstWorkflowTask', of: '/two-', during: 'generation' },
  { to: 'LastWorkflowTask', of: '/two/1-', during: 'generation' },
  { to: 'FirstWorkflowTask', of: '/tournament-', during: 'judging' },
  { to: 'LastWorkflowTask', of: '/tournament-', during: 'judging' },
] as const;

/** In generation one candidate has written and the other writes; in judging 4 verdicts are in and 2 in flight. */
const HELD = { generation: /^two\//, judging: /^m[2-7]\// };

async function findChild({ worker }: Wheel, benchId: string, name: string): Promise<string> {
  const query = `ExecutionStatus = "Running" AND WorkflowId STARTS_WITH "${benchId}${name}"`;
  let found: string | undefined;
  await until(`${benchId}${name} is listed`, async () => {
    for await (const { workflowId } of worker.client.workflow.list({ query })) found = workflowId;
    return found !== undefined;
  });
  return found ?? '';
}

/** Resets of a bench and of its children while they run. */
export function testResets(shared: () => Wheel): void {
  let wheel: Wheel;
  let undisturbed: Promise<BenchSummary>;
  beforeAll(() => {
    wheel = shared();
    undisturbed = wheel.worker.run(HELD_INPUT);
  });

  test.concurrent.each(RESETS)(
    '$of reset to $to during $during: 16 verdicts and all rows as in an undisturbed bench, every call asked for once',
    async ({ to, of, during }) => {
      const { worker, double } = wheel;
      const bench = await startHeldBench(wheel, HELD_INPUT, HELD[during], 2);
      const target = of === 'bench' ? bench.handle.workflowId : await findChild(wheel, bench.id, of);
      const before = await worker.client.workflow.getHandle(target).describe();
      const reset = ['workflow', 'reset', '-w', target, '--type', to, '--reason', 'test'];
      await temporalCli(worker.temporal, ...reset);
      double.letGo(bench.id);
      const summary: BenchSummary = await worker.client.workflow.getHandle(bench.handle.workflowId).result();
      const old = await worker.client.workflow.getHandle(target, before.runId).describe();
      expect([before.status.name, old.status.name]).toEqual(['RUNNING', 'TERMINATED']);
      const expected = await undisturbed;
      expect({ ...summary, benchId: expected.benchId }).toEqual(expected);
      expect(summary.judge.verdicts).toBe(16);
      const rows = await readBenchRows(worker.db, summary.benchId);
      expect(rows).toEqual(await readBenchRows(worker.db, expected.benchId));
      // 4 generations and 16 verdicts.
      const calls = await readCalls(worker.db, summary.benchId);
      expect(calls.map(({ attempt, state }) => `${attempt} ${state}`)).toEqual(Array(20).fill('1 settled'));
      expect(double.requests.filter(({ callId }) => callId?.startsWith(bench.id))).toHaveLength(20);
    },
  );
}

/** Resets of benches that are not to pay: one that is paused, and one that has ended. */
export function testResetsAtRest(shared: () => Wheel): void {
  let wheel: Wheel;
  beforeAll(() => {
    wheel = shared();
  });

  test.concurrent('a paused bench that is reset asks for nothing until it is unpaused, and then ends with its 16 verdicts', async () => {
    const { worker, double } = wheel;
    const bench = await startHeldBench(wheel, HELD_INPUT, HELD.judging, 2);
    await bench.handle.signal('pause');
    await untilState(wheel, bench.id, 'paused');
    double.letGo(bench.id);
    await untilLanded(wheel, bench.id);
    const begun = (await readCalls(worker.db, bench.id)).length;
    const { workflowId } = bench.handle;
    const reset = ['workflow', 'reset', '-w', workflowId, '--type', 'FirstWorkflowTask', '--reason', 'test'];
    await temporalCli(worker.temporal, ...reset);
    await sleep(QUIET_MS);
    await untilState(wheel, bench.id, 'paused'); // it begins as `running`, and hears of the pause anew
    expect((await readCalls(worker.db, bench.id)).length).toBe(begun);
    const handle = worker.client.workflow.getHandle(workflowId);
    await handle.signal('unpause');
    const summary: BenchSummary = await handle.result();
    expect(summary).toMatchObject({ status: 'finished', judge: { verdicts: 16 } });
    const calls = await readCalls(worker.db, bench.id);
    expect(calls.map(({ attempt, state }) => `${attempt} ${state}`)).toEqual(Array(20).fill('1 settled'));
  });

  test.concurrent('the tournament of a bench that was cancelled, reset, asks for nothing: it fails as BenchEnded', async () => {
    const { worker, double } = wheel;
    const bench = await startHeldBench(wheel, HELD_INPUT, HELD.judging, 2);
    const tournament = await findChild(wheel, bench.id, '/tournament-');
    await bench.handle.cancel();
    double.letGo(bench.id);
    await bench.handle.result().catch(() => undefined);
    const before = (await readCalls(worker.db, bench.id)).length;
    const reset = ['workflow', 'reset', '-w', tournament, '--type', 'FirstWorkflowTask', '--reason', 'test'];
    await temporalCli(worker.temporal, ...reset);
    const failure: unknown = await worker.client.workflow
      .getHandle(tournament)
      .result()
      .catch((error: unknown) => error);
    expect(rootOf(failure)).toMatchObject({ type: 'BenchEnded', nonRetryable: true });
    expect((await readCalls(worker.db, bench.id)).length).toBe(before);
    expect((await readRun(wheel, bench.id)).state).toBe('cancelled');
  });
}

function rootOf(error: unknown): unknown {
  const { cause } = error as { cause?: unknown };
  return cause ? rootOf(cause) : error;
}
