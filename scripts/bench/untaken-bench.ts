import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, WorkflowHandle } from '@temporalio/client';
import { BENCH_ID_PATTERN } from '../../core/ids';
import { findBenchIds } from '../../db/bench-list';
import type { Database } from '../../db/database';
import type { Stack } from '../stack/ensure-stack';
import { ensureOwnWorker, withTemporal } from './bench-connection';
import { benchFailure } from './bench-failure';
import { toIdPrefix } from './find-bench';

/** A bench that was started and that no worker has taken yet: it has a workflow, and no rows. */
interface UntakenBench {
  benchId: string;
  workflow: WorkflowHandle;
}

/**
 * Ends a bench that no worker has taken yet. Whatever worker comes ends it before a call is made.
 * @param text the whole of its id
 * @returns whether it is one
 */
export async function cancelUntaken(stack: Stack, db: Database, text: string): Promise<boolean> {
  return ofUntaken(stack, db, text, async ({ benchId, workflow }) => {
    await workflow.cancel();
    process.stderr.write(`cancelled ${benchId}: no worker had taken it yet, so nothing was paid\n`);
    await ensureOwnWorker(stack);
  });
}

/**
 * Waits for a worker where a bench has none yet; returns at once where it has rows, or is unknown.
 * @param text the whole of its id
 * @throws CliError when it ends without having begun
 */
export async function awaitTaken(stack: Stack, db: Database, text: string): Promise<void> {
  await ofUntaken(stack, db, text, async ({ benchId, workflow }) => {
    process.stderr.write('no worker has taken the bench yet; it waits for one\n');
    await ensureOwnWorker(stack);
    while (!(await hasRows(db, benchId))) {
      if (!(await isRunning(workflow))) {
        await workflow.result().catch((error: unknown) => {
          throw benchFailure(benchId, error);
        });
      }
      await sleep(LOOK_MS);
    }
  });
}

const LOOK_MS = 500;

async function ofUntaken(
  stack: Stack,
  db: Database,
  text: string,
  work: (bench: UntakenBench) => Promise<void>,
): Promise<boolean> {
  const benchId = toIdPrefix(text);
  if (!BENCH_ID_PATTERN.test(benchId) || (await hasRows(db, benchId))) return false;
  return withTemporal(stack, async (client: Client) => {
    const workflow = client.workflow.getHandle(`bench-${benchId}`);
    if (!(await isRunning(workflow))) return false;
    await work({ benchId, workflow });
    return true;
  });
}

async function hasRows(db: Database, benchId: string): Promise<boolean> {
  return (await findBenchIds(db, benchId, 1)).length > 0;
}

async function isRunning(workflow: WorkflowHandle): Promise<boolean> {
  const { WorkflowNotFoundError } = require('@temporalio/client') as typeof import('@temporalio/client');
  try {
    return (await workflow.describe()).status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
