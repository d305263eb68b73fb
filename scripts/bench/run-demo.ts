import { reportProgress } from '../report-progress';
import { type StackStatus, stackStatus } from '../stack/stack-status';
import { buildBenchRequest } from './bench-request';
import { INTERRUPTED_EXIT_CODE, Interrupted, leaveOnInterrupt } from './leave-on-interrupt';
import { runBench } from './run-bench';

/**
 * Runs the preset `demo`, and ends the local stack afterwards if nothing of it ran before.
 * @throws CliError when the bench did not finish
 */
export async function runDemo({ isJson }: { isJson: boolean }): Promise<void> {
  const request = await buildBenchRequest(undefined, { preset: 'demo' });
  const wasUp = isAnythingUp(await stackStatus());
  await leaveOnInterrupt(async (signal) => {
    signal.addEventListener('abort', () => process.stderr.write('interrupted: ending what was started\n'));
    let interrupted: Interrupted | undefined;
    try {
      await runBench(request, { isJson, isDetached: false, signal });
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      interrupted = error;
    } finally {
      if (!wasUp) await endStack();
    }
    if (interrupted) leave(interrupted);
  });
}

function isAnythingUp({ postgres, temporal, worker }: StackStatus): boolean {
  return [postgres, temporal, worker].some((part) => part?.isRunning);
}

async function endStack(): Promise<void> {
  const { stopStack } = require('../stack/stop-stack') as typeof import('../stack/stop-stack');
  await stopStack({ report: reportProgress });
}

function leave({ benchId }: Interrupted): never {
  if (benchId) process.stderr.write(`its bench goes on with: co-scientist watch ${benchId}\n`);
  process.exit(INTERRUPTED_EXIT_CODE);
}
