import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Database, openDatabase } from '../../db/database';
import { testTemporal } from '../stack/test-temporal';
import { createWorkerHome, type WorkerHome, type WorkerProcess } from '../workers/worker-process';
import { readBenchId, readCalls } from '../workflows/bench-rows';
import { createNamespace, temporalCli } from '../workflows/temporal-cli';
import { until } from '../workflows/until';

const PAGE = readFileSync(join(__dirname, '../../docs/guide/temporal.md'), 'utf8');

/** What a command of the page needs to be so before it is typed, and what has to be so after it. */
interface Step {
  /** The command, up to where it is told from the others. */
  command: string;
  before?(): Promise<void>;
  /** @param said stdout and stderr */
  after?(said: string): Promise<void> | void;
  fails?: true;
}

const STEPS: Step[] = [
  { command: 'temporal operator search-attribute create --name bench_id' },
  { command: 'temporal workflow start', after: () => until('it has rows', () => hasRows('my-bench')) },
  {
    command: 'temporal workflow execute',
    fails: true,
    after: (said) => expect(said).toMatch(/InvalidBenchInput|did you mean demo\?/),
  },
  {
    command: 'temporal workflow query --workflow-id my-bench --type progress',
    after: (said) => expect(said).toMatch(/bnc_/),
  },
  {
    command: 'temporal workflow metadata --workflow-id my-bench',
    after: (said) => {
      for (const name of ['progress', 'pause', 'unpause', 'raiseBudget', 'drop'])
        expect(said).toContain(name);
    },
  },
  {
    command: 'temporal workflow describe --workflow-id my-bench',
    after: (said) => expect(said).toMatch(/bnc_/),
  },
  {
    command: 'temporal workflow list',
    before: () =>
      until('it is listed', async () =>
        (await temporalCli(home.temporal, 'workflow', 'list', '--query', 'bench_id IS NOT NULL')).includes(
          'my-bench',
        ),
      ),
    after: (said) => expect(said).toContain('my-bench'),
  },
  {
    command: 'temporal workflow result --workflow-id my-bench',
    after: (said) => expect(said).toMatch(/"?status"?:"?finished/),
  },
  {
    command: 'temporal workflow start',
    after: () => until('it generates', () => hasCalls('slow-bench', 'generation')),
  },
  {
    command: 'temporal workflow signal --workflow-id slow-bench --name pause',
    after: () => until('it is paused', () => isIn('slow-bench', 'paused')),
  },
  {
    command: 'temporal workflow signal --workflow-id slow-bench --name unpause',
    after: () => until('it runs', () => isIn('slow-bench', 'running')),
  },
  {
    command: 'temporal workflow update execute --workflow-id slow-bench --name raiseBudget',
    after: async () => expect(await readJudgeCap('slow-bench')).toBe(8),
  },
  {
    command: 'temporal workflow update execute --workflow-id slow-bench --name drop',
    after: async () => expect(await readCandidateStates('slow-bench')).toContainEqual(['three', 'dropped']),
  },
  { command: 'temporal task-queue config set' },
  { command: 'temporal task-queue config set' },
  {
    command: 'temporal workflow cancel --workflow-id slow-bench',
    before: () => until('two candidates have written', async () => (await countSettled('slow-bench')) >= 4),
    after: () => until('it is cancelled', () => isIn('slow-bench', 'cancelled')),
  },
  {
    command: 'temporal workflow reset --workflow-id slow-bench',
    after: () => until('it runs again', () => isIn('slow-bench', 'running', 'finished')),
  },
  {
    command: 'temporal workflow result --workflow-id slow-bench',
    after: async (said) => {
      expect(said).toMatch(/"?status"?:"?finished/);
      const calls = await readCalls(db, await readBenchId(db, 'slow-bench'));
      const settled = calls.filter(({ state }) => state === 'settled').map(({ key }) => key);
      expect(settled).toHaveLength(new Set(settled).size);
    },
  },
];

let home: WorkerHome;
let worker: WorkerProcess;
let db: Database;
beforeAll(async () => {
  // Names of the page, such as its queue and its workflow ids, are taken by nobody else in a namespace of its own.
  const temporal = { ...testTemporal(), namespace: testTemporal().taskQueue, taskQueue: 'co-scientist' };
  await createNamespace(temporal);
  home = await createWorkerHome({}, temporal);
  db = openDatabase(home.database.workerUrl);
  worker = await home.startWorker();
}, 90_000);
afterAll(async () => {
  await worker?.kill();
  await db.destroy();
  await home.database.drop();
});

async function hasRows(workflowId: string): Promise<boolean> {
  return readBenchId(db, workflowId).then(
    () => true,
    () => false,
  );
}

async function hasCalls(workflowId: string, kind: string): Promise<boolean> {
  if (!(await hasRows(workflowId))) return false;
  return (await readCalls(db, await readBenchId(db, workflowId))).some((call) => call.kind === kind);
}

async function countSettled(workflowId: string): Promise<number> {
  const calls = await readCalls(db, await readBenchId(db, workflowId));
  return calls.filter(({ kind, state }) => kind === 'generation' && state === 'settled').length;
}

async function isIn(workflowId: string, ...states: string[]): Promise<boolean> {
  const row = await db
    .selectFrom('bench_runs')
    .select('state')
    .where('workflow_id', '=', workflowId)
    .executeTakeFirst();
  return row !== undefined && states.includes(row.state);
}

async function readJudgeCap(workflowId: string): Promise<number | null> {
  const id = `${await readBenchId(db, workflowId)}/judge`;
  const row = await db.selectFrom('bench_budgets').select('cap_usd').where('id', '=', id).executeTakeFirst();
  return row?.cap_usd ?? null;
}

async function readCandidateStates(workflowId: string): Promise<[string, string][]> {
  const rows = await db
    .selectFrom('bench_candidates')
    .select(['label', 'state'])
    .where('bench_id', '=', await readBenchId(db, workflowId))
    .execute();
  return rows.map(({ label, state }) => [label, state]);
}

/** The commands of the page's shell blocks, whole, in their order. */
function commandsOf(page: string): string[] {
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block ?? '');
  return blocks.flatMap((block) => block.split(/\n(?=temporal )/)).map((command) => command.trim());
}

/** As a shell runs it, `temporal` being the test's. */
async function typeCommand(command: string): Promise<{ isDone: boolean; said: string }> {
  const { executable, address, namespace } = home.temporal;
  const env = {
    PATH: `${dirname(executable)}:${process.env.PATH}`,
    HOME: process.env.HOME,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
  };
  const run = promisify(execFile);
  return run('bash', ['-c', command], { env, maxBuffer: 64 * 2 ** 20 }).then(
    ({ stdout, stderr }) => ({ isDone: true, said: stdout + stderr }),
    (error: { stdout: string; stderr: string }) => ({ isDone: false, said: error.stdout + error.stderr }),
  );
}

test('the page has 18 commands, all of them of the Temporal CLI, and a step here for each', () => {
  const commands = commandsOf(PAGE);
  expect(commands).toHaveLength(18);
  expect(commands.map((command, i) => command.startsWith(STEPS[i]?.command ?? '?'))).toEqual(
    Array(18).fill(true),
  );
  expect(PAGE.match(/^```/gm)).toHaveLength(2 * [...PAGE.matchAll(/^```sh\n/gm)].length);
});

test('typed one after the other, all commands do what the page says', async () => {
  for (const [i, command] of commandsOf(PAGE).entries()) {
    const { before, after, fails } = STEPS[i]!;
    await before?.();
    const { isDone, said } = await typeCommand(command);
    expect([command, isDone, said]).toEqual([command, !fails, said]);
    await after?.(said);
  }
}, 90_000);
