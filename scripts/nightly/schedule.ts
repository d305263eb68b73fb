import type { Client, ScheduleDescription } from '@temporalio/client';
import { baseTaskQueue } from '../bench/start-bench';
import { CliError } from '../cli-error';

/** A night that was missed by more, since no server was up, is not made up for. */
export const CATCHUP_WINDOW = '6 hours';

export function scheduleIdOf(name: string): string {
  return `nightly-${name}`;
}

/**
 * Creates the Schedule that begins the nights: one at a time, none of them doubled by a late start.
 * @throws CliError when the server refuses it
 */
export async function createSchedule(
  { schedule }: Client,
  name: string,
  { cron, timeZone }: { cron: string; timeZone: string },
): Promise<ScheduleDescription> {
  const scheduleId = scheduleIdOf(name);
  try {
    const handle = await schedule.create({
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
    });
    return await handle.describe();
  } catch (error) {
    throw new CliError({
      reason: `Temporal takes no Schedule ${scheduleId} at ${JSON.stringify(cron)} (${timeZone}): ${messageOf(error)}`,
      remedy: "give --cron as five fields, as in '0 3 * * *', and a --name that no other Schedule has",
      error,
    });
  }
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
