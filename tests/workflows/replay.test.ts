import { homedir, hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import {
  bundleWorkflowCode,
  DefaultLogger,
  makeTelemetryFilterString,
  Runtime,
  Worker,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { type RecordedHistory, readHistories } from '../histories/recorded-history';
import { workflowBundle } from './workflow-bundle';

const logger = new DefaultLogger('ERROR', () => {});
// A replay that fails is told by its result; the SDK's core would say it on stderr too.
const filter = makeTelemetryFilterString({ core: 'ERROR' });
Runtime.install({ logger, telemetryOptions: { logging: { filter } } });
const histories = readHistories();

/** Names of the histories that a bundle does not replay, with the kind of error. */
async function failuresOf(
  bundle: WorkflowBundleOption,
  ofThese: RecordedHistory[],
): Promise<[string, string][]> {
  const failures: [string, string][] = [];
  const names = new Map(ofThese.map(({ history, name }) => [firstRunOf(history), name]));
  const options = { workflowBundle: bundle };
  for await (const { error, runId } of Worker.runReplayHistories(options, ofThese)) {
    if (error) failures.push([names.get(runId) ?? runId, error.constructor.name]);
  }
  return failures;
}

function firstRunOf({ events }: RecordedHistory['history']): string {
  const [started] = events as {
    workflowExecutionStartedEventAttributes?: { originalExecutionRunId: string };
  }[];
  return started?.workflowExecutionStartedEventAttributes?.originalExecutionRunId ?? '';
}

function eventTypes(): Set<string> {
  return new Set(histories.flatMap(({ history }) => history.events.map(({ eventType }) => eventType)));
}

test('the recorded histories are of all workflow types, and of cancel, pause, update, reset, failure and continue-as-new', () => {
  const types = ['bench', 'candidate', 'hypothesis', 'nightly', 'rubric', 'tournament'];
  for (const type of types) expect(histories.some(({ name }) => name.includes(`-${type}`))).toBe(true);
  for (const event of [
    'WORKFLOW_EXECUTION_COMPLETED',
    'WORKFLOW_EXECUTION_CANCELED',
    'WORKFLOW_EXECUTION_FAILED',
    'WORKFLOW_EXECUTION_CONTINUED_AS_NEW',
    'WORKFLOW_EXECUTION_SIGNALED',
    'SIGNAL_EXTERNAL_WORKFLOW_EXECUTION_INITIATED',
    'WORKFLOW_EXECUTION_UPDATE_COMPLETED',
    'WORKFLOW_TASK_FAILED', // what a reset leaves at the event it goes back to
  ]) {
    expect(eventTypes()).toContain(`EVENT_TYPE_${event}`);
  }
});

test('every recorded history replays on the workflows as they are', async () => {
  expect(await failuresOf(await workflowBundle(), histories)).toEqual([]);
});

test('workflows whose tournament does its first two steps in another order fail to replay exactly the tournaments', async () => {
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(__dirname, 'reordered-workflows.ts'),
    logger,
  });
  const failures = await failuresOf({ code }, histories);
  const tournaments = histories.filter(({ name }) => name.includes('-tournament'));
  expect(tournaments.length).toBeGreaterThanOrEqual(5);
  expect(failures.sort()).toEqual(
    tournaments.map(({ name }) => [name, DeterminismViolationError.name]).sort(),
  );
});

test('no history tells of the machine it was recorded on: no host, user or folder, payloads included', () => {
  const places = [
    hostname(),
    homedir(),
    join(__dirname, '../..'),
    `@${hostname()}`,
    `/home/${userInfo().username}`,
  ];
  for (const { name, history } of histories) {
    const text = `${JSON.stringify(history)}${payloadsOf(history).join('\n')}`;
    for (const place of places) expect([name, place, text.includes(place)]).toEqual([name, place, false]);
    expect(new Set(text.match(/"identity":"[^"]*"/g))).toEqual(new Set(['"identity":"worker"']));
  }
});

/** What the base64 in a history says. */
function payloadsOf(value: unknown): string[] {
  if (typeof value === 'string') return /^[A-Za-z0-9+/]{4,}={0,2}$/.test(value) ? [decode(value)] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(payloadsOf) : [];
}

function decode(text: string): string {
  return Buffer.from(text, 'base64').toString('utf8');
}
