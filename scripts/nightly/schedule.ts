import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, ScheduleDescription, ScheduleHandle } from '@temporalio/client';
import { baseTaskQueue } from '../bench/start-bench';
import { CliError, UsageError } from '../cli-error';

/** A night that was missed by more, since no server was up, is not made up for. */
const CATCHUP_WINDOW = '6 hours';

export function scheduleIdOf(name: string): string {
  return `nightly-${name}`;
}

/**
 * Creates the Schedule that begins the nights: one at a time, none of them doubled by a late start.
 * @throws UsageError when the server refuses its cron fields, or they never come to a time: then there is none;
 *   CliError when there is one of this name, or the server refuses it otherwise
 */
export async function createSchedule(
  { schedule }: Client,
  name: string,
  { cron, timeZone }: { cron: string; timeZone: string },
): Promise<ScheduleDescription> {
  const scheduleId = scheduleIdOf(name);
  const handle = await schedule
    .create({
      scheduleId,
      spec: { cronExpressions: [cron], timezone: timeZone },
      action: {
        type: 'startWorkflow',
        workflowType: 'nightly',
        workflowId: scheduleId,
        taskQueue: baseTaskQueue(),
        args: [{ nightly: name }],
      },
      policies: { overlap: 'SKIP', catchupWindow: CATCHUP_WINDOW },
    })
    .catch((error: unknown) => {
      throw refusal(error, scheduleId, { cron, timeZone });
    });
  try {
    const description = await describeTimes(handle);
    if (description.info.nextActionTimes.length > 0) return description;
    throw new UsageError({
      reason: `--cron: ${JSON.stringify(cron)} (${timeZone}) has no time ahead: no night would ever begin`,
      remedy: FIELDS_REMEDY,
    });
  } catch (error) {
    await handle.delete();
    throw error;
  }
}

const FIELDS_REMEDY = "give --cron as five fields, as in '0 3 * * *'";
const TIMES_WAIT_MS = 2_000;

/** A server that works the times out after it has answered gets a moment for it. */
async function describeTimes(handle: ScheduleHandle): Promise<ScheduleDescription> {
  const end = Date.now() + TIMES_WAIT_MS;
  for (;;) {
    const description = await handle.describe();
    if (description.info.nextActionTimes.length > 0 || Date.now() > end) return description;
    await sleep(200);
  }
}

/** Cron fields that are none come as a TypeError without a code: the client makes one of the server's words. */
function refusal(
  error: unknown,
  scheduleId: string,
  { cron, timeZone }: { cron: string; timeZone: string },
): CliError {
  const { ScheduleAlreadyRunning } = require('@temporalio/client') as typeof import('@temporalio/client');
  if (error instanceof ScheduleAlreadyRunning) {
    return new CliError({
      reason: `there is a Schedule ${scheduleId} already, of no nightly in this database`,
      remedy: `give another --name, or temporal schedule delete --schedule-id ${scheduleId}`,
      error,
    });
  }
  if (error instanceof TypeError) {
    return new UsageError({
      reason: `--cron: Temporal takes no ${JSON.stringify(cron)} (${timeZone}): ${messageOf(error)}`,
      remedy: FIELDS_REMEDY,
      error,
    });
  }
  return new CliError({
    reason: `Temporal takes no Schedule ${scheduleId}: ${messageOf(error)}`,
    remedy: 'co-scientist doctor says what is running',
    error,
  });
}

/** null: there is none of this name. */
export async function describeSchedule(
  { schedule }: Client,
  name: string,
): Promise<ScheduleDescription | null> {
  const { ScheduleNotFoundError } = require('@temporalio/client') as typeof import('@temporalio/client');
  try {
    return await schedule.getHandle(scheduleIdOf(name)).describe();
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return null;
    throw error;
  }
}

/** How often it begins a night in 30 days, by its next times; null where it has none ahead. */
export function nightsAMonth({ info }: ScheduleDescription): number | null {
  const times = info.nextActionTimes.map((time) => time.getTime());
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return null;
  if (last === first) return 1;
  return Math.round((30 * 86_400_000 * (times.length - 1)) / (last - first));
}

function messageOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? messageOf(cause) : message;
}
