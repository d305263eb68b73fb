import { DEFAULT_CALL_LIMITS } from '../../activities/activity-deps';
import type { BenchInput } from '../../core/bench-input';
import type { BenchSummary } from '../../core/bench-summary';
import { readBenchId, readBenchRows, readCalls } from './bench-rows';
import { type BenchWorker, startBenchWorker } from './bench-worker';
import { temporalCli } from './temporal-cli';
import { until } from './until';

/** Slow enough that a reset finds calls in flight. */
const INPUT: BenchInput = {
  goal: 'Find a drug for a disease that has none.',
  candidates: ['one=sim:alder,latency=250@direct', 'two=sim:elm,latency=1500@direct'],
  judge: 'sim:referee,latency=400',
  goldSet: 'none',
  n: 3,
  matches: 8,
  maxInFlight: 2,
};

/** `of` the bench itself, or of the child whose workflow id goes on so after the bench's. */
const RESETS = [
  { to: 'FirstWorkflowTask', of: 'bench', during: 'generation' },
  { to: 'LastWorkflowTask', of: 'bench', during: 'generation' },
  { to: 'FirstWorkflowTask', of: 'bench', during: 'judge' },
  { to: 'LastWorkflowTask', of: 'bench', during: 'judge' },
  { to: 'FirstWorkflowTask', of: '/one-', during: 'generation' },
  { to: 'LastWorkflowTask', of: '/two/1-', during: 'generation' },
  { to: 'FirstWorkflowTask', of: '/tournament-', during: 'judge' },
  { to: 'LastWorkflowTask', of: '/tournament-', during: 'judge' },
] as const;

let worker: BenchWorker;
let undisturbed: Promise<BenchSummary>;
let outcomes: Promise<{ summary: BenchSummary; oldRun: string }>[];
beforeAll(async () => {
  worker = await startBenchWorker({ calls: { ...DEFAULT_CALL_LIMITS, leaseMs: 2_000, graceMs: 1_000 } });
  undisturbed = worker.run(INPUT);
  outcomes = RESETS.map((_, i) => runReset(i));
  await Promise.allSettled(outcomes);
});
afterAll(() => worker.close());

async function runReset(i: number): Promise<{ summary: BenchSummary; oldRun: string }> {
  const { to, of, during } = RESETS[i]!;
  const workflowId = `${worker.temporal.taskQueue}-reset-${i}`;
  await worker.start(INPUT, workflowId);
  const wanted = during === 'generation' ? 2 : 5;
  await until(
    `${wanted} ${during} calls settled`,
    async () => (await countSettled(workflowId, during)) >= wanted,
  );
  const target = of === 'bench' ? workflowId : await findChild(await readBenchId(worker.db, workflowId), of);
  const { runId } = await worker.client.workflow.getHandle(target).describe();
  await temporalCli(worker.temporal, 'workflow', 'reset', '-w', target, '--type', to, '--reason', 'test');
  const summary = await worker.client.workflow.getHandle(workflowId).result();
  const { status } = await worker.client.workflow.getHandle(target, runId).describe();
  return { summary, oldRun: status.name };
}

async function findChild(benchId: string, name: string): Promise<string> {
  const query = `ExecutionStatus = "Running" AND WorkflowId STARTS_WITH "${benchId}${name}"`;
  for await (const { workflowId } of worker.client.workflow.list({ query })) return workflowId;
  throw new Error(`${benchId}: no child ${name}`);
}

test.each(RESETS.map((reset, i) => ({ ...reset, i })))(
  '$of reset to $to during $during: 16 verdicts and all rows as in an undisturbed bench, nothing settled asked again',
  async ({ i }) => {
    const expected = await undisturbed;
    const { summary: result, oldRun } = await outcomes[i]!;
    expect(oldRun).toBe('TERMINATED'); // a run that had ended by itself would show as COMPLETED
    expect({ ...result, benchId: expected.benchId }).toEqual(expected);
    expect(result.judge.verdicts).toBe(16);
    expect(await readBenchRows(worker.db, result.benchId)).toEqual(
      await readBenchRows(worker.db, expected.benchId),
    );
    // 2 probes of candidates and 1 of the judge, 6 generations, 6 reviews, 16 verdicts: one request each.
    const calls = await readCalls(worker.db, result.benchId);
    expect(calls.map(({ attempt, state }) => `${attempt} ${state}`)).toEqual(Array(31).fill('1 settled'));
  },
);

async function countSettled(workflowId: string, kind: string): Promise<number> {
  const benchId = await readBenchId(worker.db, workflowId).catch(() => null);
  if (!benchId) return 0;
  const calls = await readCalls(worker.db, benchId);
  return calls.filter((call) => call.kind === kind && call.state === 'settled').length;
}
