import { readResults } from '../../db/bench-facts';
import type { Database } from '../../db/database';
import { readBenchProgress } from '../../db/progress';
import { leaveReports } from '../report/leave-reports';
import { ensureOwnWorker, withBenchRows, withTemporal } from './bench-connection';
import { endedOtherwise } from './bench-failure';
import { findBenchId } from './find-bench';
import { followBench } from './follow-bench';
import { leaveOnInterrupt } from './leave-on-interrupt';
import { ownWorkflow } from './own-workflow';
import { printResult } from './print-result';
import { tellEnd } from './run-bench';
import { awaitTaken } from './untaken-bench';

/**
 * Follows a bench that somebody started, with a worker if the stack is ours.
 * @throws CliError when it did not finish; Interrupted when it was left alone
 */
export async function watchBench(text: string, { isJson }: { isJson: boolean }): Promise<void> {
  await withBenchRows(async ({ db, stack }) => {
    await awaitTaken(stack, db, text);
    const bench = await findWatched(db, text);
    const about = { ...bench, db, stack, isJson };
    if (bench.isOver) {
      printResult(await readResults(db, bench.benchId), about);
      await leaveReports(db, bench.benchId, stack);
      if (bench.state !== 'finished') throw endedOtherwise(bench);
      return;
    }
    await withTemporal(stack, async (client) => {
      await ownWorkflow({ client, db }, bench.benchId);
      await ensureOwnWorker(stack);
      await leaveOnInterrupt(async (signal) => {
        await tellEnd(await followBench({ client, db }, bench, signal), about);
      });
    });
  });
}

export type WatchedBench = Awaited<ReturnType<typeof findWatched>>;

/** @throws CliError when there is no such bench, or more than one */
export async function findWatched(db: Database, text: string) {
  const benchId = await findBenchId(db, text);
  const progress = await readBenchProgress(db, benchId);
  if (!progress) throw new Error(`bench ${benchId}: its rows are gone`);
  const { workflowId, plan, state, failure, finishedAt } = progress;
  return { benchId, workflowId, plan, state, failure, isOver: finishedAt !== null };
}
