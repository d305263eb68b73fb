import { usdText } from '../../core/report/figure-text';
import { readResults } from '../../db/bench-facts';
import { type BudgetLine, readBudgets } from '../../db/budget-lines';
import { isNothing, readLeftToDo } from '../../db/left-to-do';
import type { bench } from '../../workflows';
import { ensureOwnWorker, withBenchRows, withTemporal, workflowUrl } from './bench-connection';
import { followBench } from './follow-bench';
import { leaveOnInterrupt } from './leave-on-interrupt';
import { printResult } from './print-result';
import { tellEnd } from './run-bench';
import { baseTaskQueue } from './start-bench';
import { findWatched, type WatchedBench } from './watch-bench';

/**
 * Starts a workflow of its own over a bench's rows and follows it. Whether it may is the workflow's to say: of one that
 * may not there is nothing to tell but why. Of a bench that has finished, and that nothing can be reopened of, it starts
 * nothing and says so.
 * @throws CliError when it may not, or did not finish; Interrupted when it was left alone
 */
export async function resumeBench(
  text: string,
  { takesOver, isJson }: { takesOver: boolean; isJson: boolean },
): Promise<void> {
  const { ulid } = require('ulid') as typeof import('ulid');
  await withBenchRows(async ({ db, stack }) => {
    const found = await findWatched(db, text);
    if (found.state === 'finished' && isNothing(await readLeftToDo(db, found.benchId))) {
      process.stderr.write(`${nothingToDo(found, await readBudgets(db, found.benchId)).join('\n')}\n`);
      printResult(await readResults(db, found.benchId), { ...found, stack, isJson });
      return;
    }
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

/** That nothing was started, and what its user may have wanted. Exported for its test. */
export function nothingToDo(
  { benchId }: Pick<WatchedBench, 'benchId'>,
  budgets: readonly BudgetLine[],
): string[] {
  const closed = budgets
    .filter(({ isClosed, scope }) => isClosed && scope !== 'rubric')
    .map(({ scope, capUsd }) => (capUsd === null ? scope : `${scope} at ${usdText(capUsd)}`));
  const raise = `co-scientist raise-budget ${benchId} <label|judge|bench> <usd>, then resume`;
  return [
    `bench ${benchId} has finished, and there is nothing to resume: nothing was started, nothing was paid`,
    closed.length > 0
      ? `  a cap ended some of it (${closed.join(', ')}); with a higher one: ${raise}`
      : `  a higher cap would add nothing: none has ended any of it (${raise})`,
    `  by another gold set, for nothing: co-scientist rescore ${benchId} --goldset <set>`,
    `  its pages: co-scientist report ${benchId}`,
  ];
}
