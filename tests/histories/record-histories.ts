import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import { DEFAULT_CALL_LIMITS } from '../../activities/activity-deps';
import type { RubricRequest } from '../../activities/evaluation/open-rubric';
import type { BenchInput } from '../../core/bench-input';
import { EVAL_AGENTS } from '../../core/evaluation/eval-check';
import { createNightly } from '../../db/nightlies';
import setUp from '../stack/global-setup';
import tearDown from '../stack/global-teardown';
import { startShortHistoryServer } from '../stack/short-history-server';
import { testTemporal } from '../stack/test-temporal';
import { readBenchId, readCalls } from '../workflows/bench-rows';
import { type BenchWorker, startBenchWorker } from '../workflows/bench-worker';
import { temporalCli } from '../workflows/temporal-cli';
import { until } from '../workflows/until';
import { HISTORIES, scrubHistory } from './recorded-history';
import { type Meanwhile, SCENARIOS, type Scenario } from './scenarios';

const PROJECT = join(__dirname, '../..');
const ONLY_ADDS = process.argv.includes('--add');
/** Names of scenarios; none: all. */
const ONLY = process.argv.slice(2).filter((word) => !word.startsWith('--'));
/** Of each workflow type and scenario; and of histories that took the same course, event by event, the first. */
const MOST_OF_A_TYPE = 3;
const courses = new Set<string>();

/**
 * `npm run histories:record`: runs every scenario and keeps its histories, all of them anew. With `-- --add [NAME …]` those that
 * are there stay: once benches of a release run somewhere, what they have recorded has to replay for ever.
 */
async function main(): Promise<void> {
  await setUp();
  if (ONLY.length > 0 && !ONLY_ADDS) throw new Error('some scenarios alone can only be added: -- --add NAME');
  if (!ONLY_ADDS) rmSync(HISTORIES, { recursive: true, force: true });
  mkdirSync(HISTORIES, { recursive: true });
  const calls = { ...DEFAULT_CALL_LIMITS, leaseMs: 2_000, graceMs: 1_000 };
  const short = await startShortHistoryServer(testTemporal().executable);
  const usual = await startBenchWorker({ calls });
  const onShort = await startBenchWorker({ calls }, {}, { address: short.address });
  try {
    for (const scenario of SCENARIOS.filter(({ name }) => ONLY.length === 0 || ONLY.includes(name))) {
      process.stdout.write(`${scenario.name}: ${scenario.shows}\n`);
      await record(scenario, scenario.isShortOfHistory ? onShort : usual);
    }
  } finally {
    await usual.close();
    await onShort.close();
    await short.stop();
    await tearDown();
  }
}

async function record(scenario: Scenario, worker: BenchWorker): Promise<void> {
  const bench = scenario.isNight ? await startNight(scenario, worker) : await worker.start(scenario.input);
  await scenario.act?.(bench, meanwhile(worker, bench));
  await worker.client.workflow.getHandle(bench.workflowId).result().catch(() => undefined);
  const roots = [bench.workflowId];
  if (scenario.isScored) roots.push(await scoreWork(worker, bench));
  const kept = new Map<string, number>();
  for (const run of (await Promise.all(roots.map((root) => findRuns(worker, root)))).flat()) {
    const n = (kept.get(run.type) ?? 0) + 1;
    const history = scrubHistory(run.history, PROJECT);
    const course = `${run.type}: ${history.events.map(({ eventType }) => eventType).join()}`;
    if (n > MOST_OF_A_TYPE || courses.has(course)) continue;
    courses.add(course);
    kept.set(run.type, n);
    const file = join(HISTORIES, `${scenario.name}-${run.type}${n === 1 ? '' : `-${n}`}.json`);
    if (existsSync(file)) continue;
    writeFileSync(file, `${JSON.stringify({ workflowId: run.workflowId, history })}\n`);
  }
}

async function startNight({ name, input }: Scenario, { client, db, temporal }: BenchWorker): Promise<WorkflowHandle> {
  const settings = { budgetUsd: 20, alpha: 0.05, seed: 1, onRegression: null };
  await createNightly(db, { id: `nly_${name}`, name, input: input as BenchInput, ...settings }, null, async () => {});
  const { taskQueue } = temporal;
  return client.workflow.start('nightly', { workflowId: `recorded-${name}`, taskQueue, args: [{ nightly: name }] });
}

/** @returns the id of the workflow that scored it */
async function scoreWork({ client, db, temporal }: BenchWorker, bench: WorkflowHandle): Promise<string> {
  const workflowId = `${bench.workflowId}-rubric`;
  const request: RubricRequest = {
    ...{ benchId: await readBenchId(db, bench.workflowId), judge: 'sim:referee' },
    ...{ agents: [...EVAL_AGENTS], sample: 2, capUsd: 1 },
  };
  await client.workflow.execute('rubric', { workflowId, taskQueue: temporal.taskQueue, args: [request] });
  return workflowId;
}

function meanwhile(worker: BenchWorker, bench: WorkflowHandle): Meanwhile {
  const row = async () => {
    const id = await readBenchId(worker.db, bench.workflowId).catch(() => '');
    return worker.db.selectFrom('bench_runs').selectAll().where('id', '=', id).executeTakeFirst();
  };
  return {
    calls: (kind, state, n) =>
      until(`${n} ${kind} calls ${state}`, async () => {
        const id = await readBenchId(worker.db, bench.workflowId).catch(() => null);
        const calls = id === null ? [] : await readCalls(worker.db, id);
        return calls.filter((call) => call.kind === kind && call.state === state).length >= n;
      }),
    held: () => until('it holds', async () => ((await row())?.hold_reason ?? null) !== null),
    state: (state) => until(`it is ${state}`, async () => (await row())?.state === state),
    reset: async (type) => {
      const what = ['-w', bench.workflowId, '--type', type, '--reason', 'to record it'];
      await temporalCli(worker.temporal, 'workflow', 'reset', ...what);
    },
  };
}

interface Run {
  workflowId: string;
  type: string;
  /** JSON as Temporal's tools write it. */
  history: string;
}

/** A bench's latest run and all below it, breadth first: a workflow before its children, a run before the next. */
async function findRuns({ client, temporal }: BenchWorker, benchWorkflowId: string): Promise<Run[]> {
  const { runId } = await client.workflow.getHandle(benchWorkflowId).describe();
  const waiting = [{ workflowId: benchWorkflowId, runId }];
  const runs: Run[] = [];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { workflowId } = next;
    const history = await client.workflow.getHandle(workflowId, next.runId).fetchHistory();
    const events = history.events ?? [];
    const type = events[0]?.workflowExecutionStartedEventAttributes?.workflowType?.name ?? 'unknown';
    const show = ['workflow', 'show', '-w', workflowId, '-r', next.runId, '--output', 'json'];
    runs.push({ workflowId, type, history: await temporalCli(temporal, ...show) });
    for (const event of events) {
      const newRun = event.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
      if (newRun) waiting.unshift({ workflowId, runId: newRun });
      const child = event.childWorkflowExecutionStartedEventAttributes?.workflowExecution;
      if (child) waiting.push({ workflowId: child.workflowId ?? '', runId: child.runId ?? '' });
    }
  }
  return runs;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
