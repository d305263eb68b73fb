import type { WorkflowHandle } from '@temporalio/client';
import { readResults } from '../../db/bench-facts';
import { CliError } from '../cli-error';
import { ensureOwnWorker, withBenchRows, withTemporal } from './bench-connection';
import { benchFailure } from './bench-failure';
import { followBench } from './follow-bench';
import { laterOwner } from './later-owner';
import { ownWorkflow } from './own-workflow';
import { printResult } from './print-result';
import { cancelUntaken } from './untaken-bench';
import { findWatched, type WatchedBench } from './watch-bench';

/**
 * Asks a bench to end and waits until it has: calls in flight get their 30 s, what is there is summed up.
 * @throws CliError when it has ended already in another way
 */
export async function cancelBench(text: string, { isJson }: { isJson: boolean }): Promise<void> {
  await withBenchRows(async ({ db, stack }) => {
    if (await cancelUntaken(stack, db, text)) return;
    const bench = await findWatched(db, text);
    if (bench.isOver && bench.state !== 'cancelled') {
      throw new CliError({
        reason: `bench ${bench.benchId} has ended already: ${bench.state}`,
        remedy: `co-scientist show ${bench.benchId}`,
      });
    }
    if (!bench.isOver) {
      await withTemporal(stack, async (client) => {
        // Asked before a worker is there, so that nothing new is paid for in between.
        await askToCancel(await ownWorkflow({ client, db }, bench.benchId), bench);
        process.stderr.write(`cancelling ${bench.benchId}; a call in flight gets 30 s\n`);
        await ensureOwnWorker(stack);
        const end = await followBench({ client, db }, bench, new AbortController().signal);
        const now = await findWatched(db, bench.benchId);
        if (end.kind === 'failed' && now.state !== 'cancelled') {
          throw benchFailure(bench.benchId, end.error, await laterOwner(db, bench));
        }
      });
    }
    printResult(await readResults(db, bench.benchId), { ...bench, stack, isJson });
  });
}

async function askToCancel(workflow: WorkflowHandle, { benchId }: WatchedBench): Promise<void> {
  try {
    await workflow.cancel();
  } catch (error) {
    throw benchFailure(benchId, error);
  }
}
