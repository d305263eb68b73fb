import { reportProgress } from '../report-progress';
import { type StackStatus, stackStatus } from '../stack/stack-status';
import { buildBenchRequest } from './bench-request';
import { INTERRUPTED_EXIT_CODE, Interrupted, leaveOnInterrupt, sayLeft } from './leave-on-interrupt';
import { type PreparedStack, prepareStack, runBench } from './run-bench';

/**
 * Runs the preset `demo`, and ends the local stack afterwards if nothing of it ran before.
 * @throws CliError when the bench did not finish
 */
export async function runDemo({ isJson }: { isJson: boolean }): Promise<void> {
  const request = await buildBenchRequest(undefined, { preset: 'demo' });
  const wasUp = isAnythingUp(await stackStatus());
  try {
    await leaveOnInterrupt(async (signal) => {
      try {
        const { stack, hasWorker } = await prepareUnlessInterrupted(signal);
        // The UI of a server that ends with the demo is no place to send anybody.
        const shown = wasUp ? stack : { ...stack, uiUrl: null };
        await runBench(request, { stack: shown, hasWorker }, { isJson, isDetached: false, signal });
      } finally {
        if (!wasUp) await endStack();
      }
    });
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    if (wasUp) sayLeft(error.benchId);
    leave(error);
  }
}

/** @throws Interrupted when Ctrl-C came while it was starting; what was begun is seen through first */
async function prepareUnlessInterrupted(signal: AbortSignal): Promise<PreparedStack> {
  const say = () => process.stderr.write('interrupted: ending what is starting; Ctrl-C again to leave it\n');
  signal.addEventListener('abort', say);
  const prepared = await prepareStack();
  signal.removeEventListener('abort', say);
  if (signal.aborted) throw new Interrupted(null);
  return prepared;
}

function isAnythingUp({ postgres, temporal, worker }: StackStatus): boolean {
  return [postgres, temporal, worker].some((part) => part?.isRunning);
}

async function endStack(): Promise<void> {
  const { stopStack } = require('../stack/stop-stack') as typeof import('../stack/stop-stack');
  await stopStack({ report: reportProgress });
}

function leave({ benchId }: Interrupted): never {
  const next = benchId ? `; its bench goes on with: co-scientist watch ${benchId}` : '';
  process.stderr.write(`left: what the demo started is ended${next}\n`);
  process.exit(INTERRUPTED_EXIT_CODE);
}
