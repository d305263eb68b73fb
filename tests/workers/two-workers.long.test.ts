import type { Client } from '@temporalio/client';
import type { BenchInput } from '../../core/bench-input';
import type { BenchSummary } from '../../core/bench-summary';
import type { Database } from '../../db/database';
import { freePort } from '../../scripts/stack/free-port';
import { runCli } from '../scripts/run-cli';
import { readCalls } from '../workflows/bench-rows';
import { HELD_INPUT, type HoldingDouble, newBenchId } from '../workflows/held-calls';
import { until } from '../workflows/until';
import { createHeldHome, type HeldHome } from './held-home';
import type { WorkerProcess } from './worker-process';

/** 2 candidates × 2 hypotheses, 8 matches × 2 orders: 20 calls. */
const INPUT: BenchInput = { ...HELD_INPUT, maxInFlight: 8 };
const HELD = /^m[4-7]\//;

const benchId = newBenchId();
let double: HoldingDouble;
let home: HeldHome;
let db: Database;
let client: Client;
/** With a grader beside it. */
let whole: WorkerProcess;
/** Under a role that may not grade; it is told to stop while its calls are out. */
let leaving: WorkerProcess;
let metricsPort: number;
let metrics: string;
let exitCode: number | null;
let summary: BenchSummary;

beforeAll(async () => {
  home = await createHeldHome();
  ({ double, db, client } = home);
  metricsPort = await freePort();
  [whole, leaving] = await Promise.all([
    home.startWorker({ CO_SCIENTIST_QUEUES: 'grader, rows,provider.openai-compatible' }),
    home.startWorker({
      DATABASE_GRADER_URL: '',
      CO_SCIENTIST_METRICS_PORT: String(metricsPort),
      CO_SCIENTIST_LOG: 'json',
    }),
  ]);
  double.hold(benchId, HELD);
  const handle = await client.workflow.start('bench', {
    taskQueue: home.temporal.taskQueue,
    workflowId: `bench-${benchId}`,
    args: [INPUT],
  });
  await until('8 verdicts are in and 8 in flight', async () => {
    const judged = (await readCalls(db, benchId)).filter(({ kind }) => kind === 'judge');
    return judged.filter(({ state }) => state === 'settled').length === 8 && judged.length === 16;
  });
  metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const left = leaving.stop();
  double.letGo(benchId);
  exitCode = await left;
  summary = await handle.result();
}, 120_000);
afterAll(async () => {
  await Promise.all([whole?.stop(), leaving?.kill()]);
  await home?.close();
});

/** Which process took each activity of a type, over the bench and its children. */
async function takersOf(activityTypes: readonly string[]): Promise<string[]> {
  const takers: string[] = [];
  const query = `WorkflowId STARTS_WITH "${benchId}/"`;
  for await (const { workflowId } of client.workflow.list({ query })) {
    const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
    const types = new Map(
      (events ?? []).map((it) => [
        String(it.eventId),
        it.activityTaskScheduledEventAttributes?.activityType?.name ?? '',
      ]),
    );
    for (const { activityTaskStartedEventAttributes: started } of events ?? []) {
      const type = types.get(String(started?.scheduledEventId)) ?? '';
      if (started?.identity && activityTypes.includes(type)) takers.push(started.identity);
    }
  }
  return takers;
}

test('of 20 calls to models each of 2 workers made some', async () => {
  const takers = await takersOf(['takeModelTurn', 'judgeVerdict']);
  expect(takers).toHaveLength(20);
  expect(new Set(takers).size).toBe(2);
});

test('SIGTERM drains: the worker ends with 0, and the 8 calls in flight are paid for once, none in doubt', async () => {
  expect(exitCode).toBe(0);
  const calls = await readCalls(db, benchId);
  expect(calls.map(({ state }) => state)).toEqual(Array(20).fill('settled'));
  expect(double.requests).toHaveLength(20);
  expect(summary).toMatchObject({ status: 'finished', judge: { verdicts: 16, invalid: 0 } });
});

test('each says which queues it serves, and of those it does not what is missing', () => {
  expect(whole.output()).toContain('worker ready: rows, provider.openai-compatible, grader');
  expect(leaving.output()).toContain(
    'worker ready: rows, provider.openai-compatible, provider.sim, literature\n',
  );
  const [line = ''] = leaving
    .output()
    .split('\n')
    .filter((it) => it.includes('not served'));
  expect((JSON.parse(line) as { message: string }).message).toBe(
    'not served: provider.anthropic (set ANTHROPIC_API_KEY), provider.google (set GOOGLE_API_KEY), ' +
      'provider.openai (set OPENAI_API_KEY), provider.openrouter (set OPENROUTER_API_KEY), ' +
      'grader (role bench_worker may not grade: set DATABASE_GRADER_URL)',
  );
});

test('its metrics count calls, dollars, tokens, verdicts, matches and waits, beside those of the SDK', () => {
  const made = { kind: 'judge', model: 'judge', provider: 'openai-compatible' };
  expect(sumOf('co_scientist_calls_total', made)).toBeGreaterThan(0);
  const calls = sumOf('co_scientist_calls_total', {});
  expect(sumOf('co_scientist_tokens_total', { direction: 'input' })).toBeGreaterThan(0);
  expect(sumOf('co_scientist_call_cost_usd_count', {})).toBe(calls);
  expect(sumOf('co_scientist_call_latency_seconds_count', {})).toBe(calls);
  expect(sumOf('co_scientist_verdicts_total', { state: 'valid' })).toBe(
    sumOf('co_scientist_calls_total', { kind: 'judge' }),
  );
  expect(sumOf('co_scientist_queue_lag_seconds_count', {})).toBeGreaterThanOrEqual(calls);
  expect(metrics).toMatch(/^temporal_worker_task_slots_available/m);
});

/** Over all lines of a metric that have these labels. */
function sumOf(name: string, labels: Record<string, string>): number {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  return metrics
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) && wanted.every((label) => line.includes(label)))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}

test('its log is JSON: each call on a line with the ids of its bench and its call, and no word of it', () => {
  const lines = leaving.output().split('\n');
  const ended = lines
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ message }) => message === 'call ended');
  expect(ended.length).toBeGreaterThan(0);
  for (const line of ended) {
    expect(line).toMatchObject({ benchId, provider: 'openai-compatible', failure: null });
    expect(line.call).toMatch(new RegExp(`^${benchId}/.*#1$`));
  }
  expect(leaving.output()).not.toContain(INPUT.goal);
});

test('queues that are not there and those without a key are refused together, before anything is begun', async () => {
  const { exitCode: code, stderr } = await runCli(
    ['worker', '--queues', 'row,provider.opnai,provider.openai,grader'],
    { DATABASE_URL: home.database.workerUrl },
  );
  expect(stderr).toContain('no queue "row" (known: rows, ');
  expect(stderr).toContain('did you mean rows?');
  expect(stderr).toContain('did you mean provider.openai?');
  expect(stderr).toContain('provider.openai: this process has no key for it (set OPENAI_API_KEY)');
  expect(stderr).toContain('grader: role bench_worker may not grade');
  expect(code).toBe(2);
});
