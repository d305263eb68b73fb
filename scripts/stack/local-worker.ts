import { join } from 'node:path';
import { CliError } from '../cli-error';
import { bundleVariable } from './cached-workflow-bundle';
import { startDetached, waitUntilReady } from './detached-process';
import type { Stack } from './ensure-stack';
import { PROJECT } from './home';
import { openLog } from './log-file';
import { endProcess, isAlive, processesWithArgument } from './own-process';
import type { StackRecord } from './stack-record';
import { codeVersion, environmentChange, fingerprint, workerEnvironment } from './worker-environment';

type WorkerRecord = NonNullable<StackRecord['worker']>;

/** Longer than the 30 s a call in flight is given when a worker shuts down. */
const GRACE_MS = 45_000;
const READY_LINE = 'worker ready';
/** A worker that ends says `worker: <name of the error>: <message>`. */
const TELLS_WHY = /[Ee]rror|^worker: [A-Z]\w*: /;

/**
 * Sees that a worker of ours runs, with this shell's keys and this checkout's code; one that has others is ended
 * and a new one started. Temporal hands what the old one did not finish to the new one.
 * @throws CliError naming its log when it does not get ready
 */
export async function ensureLocalWorker(
  stack: Stack,
  before: WorkerRecord | undefined,
  options: {
    fingerprintKey: string;
    report: (line: string) => void;
    remember: (now: WorkerRecord) => Promise<void>;
  },
): Promise<WorkerRecord> {
  const { fingerprintKey, report, remember } = options;
  const env = workerEnvironment(stack);
  const wanted = { code: await codeVersion(), environment: fingerprint(env, fingerprintKey) };
  if (before && (await isAlive(before.process))) {
    const reason = reasonToRestart(before, wanted, report);
    if (!reason) return before;
    report(`starting the worker anew: ${reason}`);
  }
  await endWorkers(stack.home, before, report);
  const started = await startWorker(stack, env, async (process, log) => {
    const record = { ...wanted, process, log, taskQueue: env.CO_SCIENTIST_TASK_QUEUE ?? '', isReady: false };
    await remember(record);
    return record;
  });
  return { ...started, isReady: true };
}

/**
 * Ends the worker of this home; also one that no record tells of.
 * @returns whether one was running
 */
export async function endWorkers(
  home: string,
  record: WorkerRecord | undefined,
  report: (line: string) => void,
): Promise<boolean> {
  const strays = await processesWithArgument(homeArgument(home));
  const isRunning = strays.length > 0 || (await isAlive(record?.process));
  if (isRunning) report('ending the worker; a call in flight gets 30 s');
  await Promise.all([record?.process, ...strays].map((own) => endProcess(own, GRACE_MS)));
  return isRunning;
}

/** Stands on the worker's command line for us to know it by; the worker does not read it. */
function homeArgument(home: string): string {
  return `--home=${home}`;
}

function reasonToRestart(
  before: WorkerRecord,
  wanted: Pick<WorkerRecord, 'code' | 'environment'>,
  report: (line: string) => void,
): string | null {
  const { changed, onlyThere } = environmentChange(before.environment, wanted.environment);
  const reason = firstDifference(before, wanted.code, changed);
  if (onlyThere.length > 0) {
    report(`the worker ${reason ? 'loses' : 'keeps'} ${onlyThere.join(', ')}, which this shell has not`);
  }
  return reason;
}

function firstDifference(before: WorkerRecord, code: string, changedVariables: string[]): string | null {
  if (!before.isReady) return 'the one that runs never said that it was ready';
  if (before.code !== code) return 'the code has changed';
  return changedVariables.length > 0 ? `${changedVariables.join(', ')} changed` : null;
}

async function startWorker(
  stack: Stack,
  env: NodeJS.ProcessEnv,
  remember: (process: WorkerRecord['process'], log: string) => Promise<WorkerRecord>,
): Promise<WorkerRecord> {
  const log = await openLog(join(stack.logs, 'worker.log'));
  try {
    const args = ['--import', 'tsx', join(PROJECT, 'workers', 'main.ts'), homeArgument(stack.home)];
    const started = await startDetached(process.execPath, args, {
      env: { ...env, ...(await bundleVariable(env)) },
      log,
      cwd: PROJECT,
    });
    const record = await remember(started.process, log.path);
    const isReady = async () => (await log.newLines()).some((line) => line.includes(READY_LINE));
    const problem = await waitUntilReady(started, isReady, 90_000);
    if (!problem) return record;
    await endProcess(started.process, 2_000);
    const last = (await log.newLines()).findLast((line) => TELLS_WHY.test(line));
    throw new CliError({
      reason: `the worker did not start: ${problem}${last ? `: ${last.trim().slice(0, 300)}` : ''}`,
      remedy: `see ${log.path}`,
    });
  } finally {
    await log.close();
  }
}
