import type { bench } from '../../workflows';
import { withBenchRows, withTemporal, workflowUrl } from './bench-connection';
import { followBench } from './follow-bench';
import { leaveOnInterrupt } from './leave-on-interrupt';
import { tellEnd } from './run-bench';
import { baseTaskQueue } from './start-bench';
import { ensureOwnWorker, findWatched } from './watch-bench';

/**
 * Starts a workflow of its own over a bench's rows and follows it. Whether it may is the workflow's to say: of one that
 * may not there is nothing to tell but why.
 * @throws CliError when it may not, or did not finish; Interrupted when it was left alone
 */
export async function resumeBench(
  text: string,
  { takesOver, isJson }: { takesOver: boolean; isJson: boolean },
): Promise<void> {
  const { ulid } = require('ulid') as typeof import('ulid');
  await withBenchRows(async ({ db, stack }) => {
    const found = await findWatched(db, text);
    await ensureOwnWorker(stack);
    const workflowId = `resume-${found.benchId}-${ulid()}`;
    const url = workflowUrl(stack, workflowId);
    const heading = `resuming ${found.benchId}${url ? `\n  ${url}` : ''}`;
    await withTemporal(stack, (client) =>
      leaveOnInterrupt(async (signal) => {
        await client.workflow.start<typeof bench>('bench', {
          workflowId,
          taskQueue: baseTaskQueue(),
          args: [{ resume: found.benchId, ...(takesOver ? { takeOver: true } : {}) }],
          staticSummary: `resume of ${found.benchId}`,
        });
        const end = await followBench({ client, db }, { ...found, workflowId }, signal, heading);
        await tellEnd(end, { ...found, workflowId, db, stack, isJson });
      }),
    );
  });
}
