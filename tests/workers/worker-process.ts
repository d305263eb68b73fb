import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { bundleVariable } from '../../scripts/stack/cached-workflow-bundle';
import { createTestDatabase, type TestDatabase } from '../stack/test-database';
import { type TestTemporal, testTemporal } from '../stack/test-temporal';

const PROJECT = join(__dirname, '../..');

/** `workers/main.ts` as a process of its own, as `co-scientist up` starts it. */
export interface WorkerProcess {
  /** Everything it has written so far to stdout and stderr. */
  output(): string;
  /** SIGKILL: it gets no chance to say or save anything. */
  kill(): Promise<void>;
  /** SIGSTOP: it does nothing more and learns of nothing, while its servers carry out what it has asked of them. */
  freeze(): void;
  /** SIGTERM, and it may drain. @returns its exit code; null: a signal ended it */
  stop(): Promise<number | null>;
}

/** What worker processes of one test share: a database, queues, and what else their environment holds. */
export interface WorkerHome {
  database: TestDatabase;
  temporal: TestTemporal;
  /**
   * @param env of this one worker alone; an empty value unsets a variable
   * @throws with what it wrote when it ends before it is ready
   */
  startWorker(env?: Record<string, string>): Promise<WorkerProcess>;
}

/** @param temporal another namespace or queue than a test's usual ones */
export async function createWorkerHome(
  env: Record<string, string> = {},
  temporal: TestTemporal = testTemporal(),
): Promise<WorkerHome> {
  const database = await createTestDatabase();
  const whole = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    DATABASE_URL: database.workerUrl,
    DATABASE_GRADER_URL: database.graderUrl,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    CO_SCIENTIST_TASK_QUEUE: temporal.taskQueue,
    ...(await bundleVariable()),
    ...env,
  };
  return { database, temporal, startWorker: (own = {}) => startWorker({ ...whole, ...own }) };
}

async function startWorker(env: NodeJS.ProcessEnv): Promise<WorkerProcess> {
  const child = spawn(process.execPath, ['--import', 'tsx', join(PROJECT, 'workers/main.ts')], {
    cwd: PROJECT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const isReady = new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (output.includes('worker ready')) resolve();
      });
    }
    child.once('close', (code) =>
      reject(new Error(`the worker ended with ${code}: ${output.slice(-2_000)}`)),
    );
  });
  await isReady;
  return {
    output: () => output,
    kill: async () => {
      await end(child, 'SIGKILL');
    },
    freeze: () => {
      child.kill('SIGSTOP');
    },
    stop: () => end(child, 'SIGTERM'),
  };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const closed = once(child, 'close');
    child.kill(signal);
    await closed;
  }
  return child.exitCode;
}
