import { join } from 'node:path';
import { CliError } from '../cli-error';
import { bundleVariable } from '../stack/cached-workflow-bundle';
import { type DetachedProcess, startDetached, waitUntilReady } from '../stack/detached-process';
import type { Stack } from '../stack/ensure-stack';
import { PROJECT } from '../stack/home';
import { openLog } from '../stack/log-file';
import { endProcess } from '../stack/own-process';
import { workerEnvironment } from '../stack/worker-environment';

/** A worker of the demo's own, on a queue nobody else uses: killing it disturbs no other bench. */
export interface DemoWorker {
  pid: number;
  /** SIGKILL: it gets no chance to say or save anything. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** @throws CliError naming its log when it does not get ready */
export async function startDemoWorker(stack: Stack, taskQueue: string): Promise<DemoWorker> {
  const whole = workerEnvironment(stack);
  const env = {
    ...whole,
    ...(await bundleVariable(whole)),
    CO_SCIENTIST_TASK_QUEUE: taskQueue,
    // A call is taken for lost after so long: what a killed worker costs.
    CO_SCIENTIST_LEASE_SECONDS: '3',
  };
  const log = await openLog(join(stack.logs, 'scipivot-demo-worker.log'));
  try {
    const args = ['--import', 'tsx', join(PROJECT, 'workers', 'main.ts')];
    const started: DetachedProcess = await startDetached(process.execPath, args, { env, log, cwd: PROJECT });
    const isReady = async () => (await log.newLines()).some((line) => line.includes('worker ready'));
    const problem = await waitUntilReady(started, isReady, 90_000);
    const end = (...signals: NodeJS.Signals[]) => endProcess(started.process, 10_000, signals).then(() => {});
    if (problem === null) {
      return { pid: started.process.pid, kill: () => end('SIGKILL'), stop: () => end('SIGTERM', 'SIGKILL') };
    }
    await end('SIGKILL');
    throw new CliError({ reason: `the worker did not start: ${problem}`, remedy: `see ${log.path}` });
  } finally {
    await log.close();
  }
}
