import { readdirSync, readFileSync } from 'node:fs';
import { Connection, Client as TemporalClient } from '@temporalio/client';
import { Client } from 'pg';
import { graderEnvironment } from '../../workers/grader-process';
import { until } from '../workflows/until';
import { createWorkerHome, type WorkerHome, type WorkerProcess } from './worker-process';

let home: WorkerHome;
let worker: WorkerProcess;
beforeAll(async () => {
  home = await createWorkerHome({ OPENAI_API_KEY: 'no-key-of-anybody' });
  worker = await home.startWorker();
}, 120_000);
afterAll(async () => {
  await worker.stop();
  await home.database.drop();
});

/** Who is connected to the database, as Postgres has it, and as what. */
async function connected(): Promise<{ usename: string; application_name: string }[]> {
  const client = new Client({ connectionString: home.database.ownerUrl });
  await client.connect();
  const { rows } = await client.query(
    `SELECT DISTINCT usename, application_name FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() ORDER BY 1`,
  );
  await client.end();
  return rows;
}

/** Processes that were started with the grader's code and this test's database: all the test's own. */
function graders(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return (
          readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('workers/grader.ts') &&
          readFileSync(`/proc/${pid}/environ`, 'utf8').includes(home.temporal.taskQueue)
        );
      } catch {
        return false; // gone meanwhile, or another user's
      }
    });
}

test('a worker is two processes under two roles: bench_worker and bench_grader, and never bench_owner', async () => {
  const connection = await Connection.connect({ address: home.temporal.address });
  const client = new TemporalClient({ connection, namespace: home.temporal.namespace });
  const { taskQueue } = home.temporal;
  await client.workflow.execute('bench', {
    taskQueue,
    workflowId: `${taskQueue}-roles`,
    args: [
      {
        goal: 'Find a drug for a disease that has none.',
        candidates: ['one=sim:alder@direct', 'two=sim:elm@direct'],
        judge: 'sim:referee',
        goldSet: 'aml-repurposing-paper-5',
        n: 1,
        matches: 1,
      },
    ],
  });
  await connection.close();
  expect(await connected()).toEqual([
    { usename: 'bench_grader', application_name: 'co-scientist grader' },
    { usename: 'bench_worker', application_name: 'co-scientist worker' },
  ]);
  expect(graders()).toHaveLength(1);
}, 60_000);

test("the grader's environment holds its own URL and neither the worker's, the owner's nor a key", () => {
  const [pid = 0] = graders();
  const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
  expect(environment).toContain(`DATABASE_GRADER_URL=${home.database.graderUrl}`);
  expect(environment).not.toMatch(/DATABASE_URL=|DATABASE_OWNER_URL=|no-key-of-anybody/);
  const env = { PATH: '/bin', DATABASE_URL: 'x', SECRET: 'y', TEMPORAL_ADDRESS: 'a:1', PGPASSWORD: 'z' };
  expect(graderEnvironment('postgres://g', env)).toEqual({
    PATH: '/bin',
    TEMPORAL_ADDRESS: 'a:1',
    DATABASE_GRADER_URL: 'postgres://g',
  });
});

test('a grader that is killed is started again, and one whose worker is killed with -9 ends: 1, then 0', async () => {
  const [first = 0] = graders();
  process.kill(first, 'SIGKILL');
  await until('another grader runs', async () => graders().some((pid) => pid !== first));
  await worker.kill();
  await until('no grader is left', async () => graders().length === 0);
  worker = await home.startWorker();
  expect(graders()).toHaveLength(1);
}, 120_000);
