import type { WorkflowHandle } from '@temporalio/client';
import { scopeIdOf } from '../../activities/change-bench';
import type { Database } from '../../db/database';
import { CliError } from '../cli-error';
import { ensureOwnWorker, withBenchRows, withTemporal } from './bench-connection';
import { benchFailure } from './bench-failure';
import { ownWorkflow, runningWorkflow } from './own-workflow';
import { findWatched, type WatchedBench } from './watch-bench';

/**
 * Raises a cap: through the bench where it runs, so that it goes on at once; else in its rows, for a resume.
 * @throws CliError when there is no such scope, or its cap is higher
 */
export async function raiseBenchBudget(text: string, scope: string, capUsd: number): Promise<void> {
  await withBenchRows(async ({ db, stack }) => {
    const bench = await findWatched(db, text);
    await withTemporal(stack, async (client) => {
      const workflow = bench.isOver ? null : await runningWorkflow({ client, db }, bench.benchId);
      if (workflow === null) {
        await raiseInRows(db, bench, scope, capUsd);
        process.stdout.write(`${scope}: cap $${capUsd}\nnext  co-scientist resume ${bench.benchId}\n`);
        return;
      }
      await ensureOwnWorker(stack);
      await updateBench(workflow, bench.benchId, 'raiseBudget', { scope, capUsd });
      process.stdout.write(`${scope}: cap $${capUsd}\n`);
    });
  });
}

async function raiseInRows(db: Database, bench: WatchedBench, scope: string, capUsd: number): Promise<void> {
  const { raiseBudget } = require('../../db/ledger') as typeof import('../../db/ledger');
  const labels = bench.plan.candidates.map(({ label }) => label);
  const scopeId = scopeIdOf(bench.benchId, scope, labels);
  if (scopeId === null) {
    throw new CliError({
      reason: `bench ${bench.benchId} has no scope ${JSON.stringify(scope)}`,
      remedy: `one of: judge, bench, ${labels.join(', ')}`,
    });
  }
  if (!(await raiseBudget(db, scopeId, capUsd))) {
    throw await notRaised(db, bench, scope, capUsd);
  }
}

async function notRaised(
  db: Database,
  { benchId }: WatchedBench,
  scope: string,
  capUsd: number,
): Promise<CliError> {
  const { readBudgets } = require('../../db/budget-lines') as typeof import('../../db/budget-lines');
  const now = (await readBudgets(db, benchId)).find((budget) => budget.scope === scope)?.capUsd ?? null;
  return new CliError({
    reason:
      now === null
        ? `${scope} of bench ${benchId} has no cap of its own: there is nothing to raise`
        : `the cap of ${scope} is $${now}, which is not below $${capUsd}`,
    remedy: `co-scientist costs ${benchId} shows the caps`,
  });
}

/** @throws CliError when the bench has ended, or has no such candidate */
export async function dropFromBench(text: string, label: string): Promise<void> {
  await withRunningBench(text, async (workflow, { benchId }) => {
    await updateBench(workflow, benchId, 'drop', label);
    process.stdout.write(`${label} is out of ${benchId}; what it has stays in the rows\n`);
  });
}

/** @throws CliError when the bench has ended */
export async function signalBench(text: string, signal: 'pause' | 'unpause'): Promise<void> {
  await withRunningBench(text, async (workflow, { benchId }) => {
    await workflow.signal(signal);
    const next = signal === 'pause' ? `unpause ${benchId}` : `watch ${benchId}`;
    process.stdout.write(`${signal}d ${benchId}\nnext  co-scientist ${next}\n`);
  });
}

async function withRunningBench(
  text: string,
  change: (workflow: WorkflowHandle, bench: WatchedBench) => Promise<void>,
): Promise<void> {
  await withBenchRows(async ({ db, stack }) => {
    const bench = await findWatched(db, text);
    if (bench.isOver) {
      throw new CliError({
        reason: `bench ${bench.benchId} has ended already: ${bench.state}`,
        remedy:
          bench.state === 'finished'
            ? `co-scientist show ${bench.benchId}`
            : `co-scientist resume ${bench.benchId} takes it up again`,
      });
    }
    await withTemporal(stack, async (client) => {
      const workflow = await ownWorkflow({ client, db }, bench.benchId);
      await ensureOwnWorker(stack);
      try {
        await change(workflow, bench);
      } catch (error) {
        if (error instanceof CliError) throw error;
        throw benchFailure(bench.benchId, error);
      }
    });
  });
}

async function updateBench(
  workflow: WorkflowHandle,
  benchId: string,
  update: string,
  argument: unknown,
): Promise<void> {
  const { WorkflowUpdateFailedError } = require('@temporalio/client') as typeof import('@temporalio/client');
  try {
    await workflow.executeUpdate(update, { args: [argument] });
  } catch (error) {
    if (!(error instanceof WorkflowUpdateFailedError)) throw benchFailure(benchId, error);
    throw new CliError({
      reason: rootMessage(error),
      remedy: `co-scientist show ${benchId}`,
      error,
    });
  }
}

function rootMessage(error: Error): string {
  return error.cause instanceof Error ? rootMessage(error.cause) : error.message;
}
