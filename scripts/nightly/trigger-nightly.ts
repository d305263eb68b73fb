import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, ScheduleDescription } from '@temporalio/client';
import { findNightOfWorkflow } from '../../db/nightly-view';
import { ensureOwnWorker } from '../bench/bench-connection';
import { benchFailure } from '../bench/bench-failure';
import { CliError } from '../cli-error';
import { withSchedule } from './change-nightly';

/**
 * Begins a night now.
 * @param isWaiting until it has ended
 * @throws CliError when one is running, or the night failed
 */
export async function triggerNightly(name: string, { isWaiting }: { isWaiting: boolean }): Promise<void> {
  await withSchedule(name, async ({ stack, client, db, handle, nightly }) => {
    await ensureOwnWorker(stack);
    const before = await handle.describe();
    await refuseOverlap(client, name, before);
    await handle.trigger('SKIP');
    const { workflowId, runId } = await begunSince(before, () => handle.describe());
    process.stderr.write(`a night of ${name} has begun: workflow ${workflowId}\n`);
    if (!isWaiting) return;
    try {
      await client.workflow.getHandle(workflowId, runId).result();
    } catch (error) {
      throw benchFailure((await findNightOfWorkflow(db, nightly.id, workflowId))?.benchId ?? name, error);
    }
    process.stderr.write(`it has ended: co-scientist nightly show ${name}\n`);
  });
}

/** Asked of the workflows themselves: the Schedule hears of their ends a little later. */
async function refuseOverlap(client: Client, name: string, { info }: ScheduleDescription): Promise<void> {
  for (const { workflow } of info.runningActions) {
    const { status } = await client.workflow.getHandle(workflow.workflowId).describe();
    if (status.name !== 'RUNNING') continue;
    throw new CliError({
      reason: `a night of ${name} is running: workflow ${workflow.workflowId}`,
      remedy: 'nights do not overlap; wait for it, or cancel its bench',
    });
  }
}

const WAIT_MS = 30_000;

async function begunSince(
  before: ScheduleDescription,
  describe: () => Promise<ScheduleDescription>,
): Promise<{ workflowId: string; runId: string }> {
  const known = new Set(idsOf(before));
  for (const end = Date.now() + WAIT_MS; Date.now() < end; await sleep(100)) {
    const { info } = await describe();
    const begun = info.recentActions.find(({ action }) => !known.has(action.workflow.workflowId));
    if (begun) {
      const { workflowId, firstExecutionRunId: runId } = begun.action.workflow;
      return { workflowId, runId };
    }
  }
  throw new CliError({
    reason: 'Temporal has taken the trigger, and begun no night within 30 s',
    remedy: 'another may be running still: co-scientist nightly list',
  });
}

function idsOf({ info }: ScheduleDescription): string[] {
  return info.recentActions.map(({ action }) => action.workflow.workflowId);
}
