import type { Client, ScheduleHandle } from '@temporalio/client';
import { planInput } from '../../activities/plan-input';
import type { Database } from '../../db/database';
import { acceptBaseline, deleteNightly as deleteRows, type Nightly, readBaseline } from '../../db/nightlies';
import { withBenchRows, withTemporal } from '../bench/bench-connection';
import { findBenchId } from '../bench/find-bench';
import { CliError } from '../cli-error';
import type { Stack } from '../stack/ensure-stack';
import { together } from '../together';
import { pinPanel } from './create-nightly';
import { findNamed } from './find-nightly';
import { describeSchedule, scheduleIdOf } from './schedule';

/** @throws CliError when there is no such nightly, or no Schedule of its name */
export async function pauseNightly(name: string, isPausing: boolean): Promise<void> {
  await withSchedule(name, async ({ handle }) => {
    if (isPausing) await handle.pause('by co-scientist nightly pause');
    else await handle.unpause('by co-scientist nightly unpause');
    process.stdout.write(
      isPausing
        ? `${name} is paused: no night begins; one that runs goes on\nnext  co-scientist nightly unpause ${name}\n`
        : `${name} goes on\nnext  co-scientist nightly show ${name}\n`,
    );
  });
}

/** The Schedule goes, and the name is free; nights and their benches stay in the rows. */
export async function deleteNightly(name: string): Promise<void> {
  await withBenchRows(({ db, stack }) =>
    withTemporal(stack, async (client) => {
      const nightly = await findNamed(db, name);
      if (await describeSchedule(client, name)) {
        await client.schedule.getHandle(scheduleIdOf(name)).delete();
      }
      await deleteRows(db, nightly.id);
      process.stdout.write(`${name} is deleted; the benches of its nights stay: co-scientist list\n`);
    }),
  );
}

/**
 * What holds now is the normal state: from the next night on the evidence begins anew.
 * @param bench a finished bench whose hypotheses become the panel; left out: the same panel
 */
export async function acceptNightly(name: string, bench: string | undefined): Promise<void> {
  await withBenchRows(async ({ db }) => {
    const [nightly, benchId] = await together(
      () => findNamed(db, name),
      () => (bench === undefined ? null : findBenchId(db, bench)),
    );
    const panel =
      benchId === null
        ? await readBaseline(db, nightly.id, nightly.baseline)
        : await pinPanel(db, benchId, goalOf(nightly));
    if (!panel) {
      throw new CliError({
        reason: `${name} has no panel yet: its first night has not been played`,
        remedy: `co-scientist nightly trigger ${name}, or accept with --bench`,
      });
    }
    const baseline = await acceptBaseline(db, nightly.id, panel);
    process.stdout.write(
      `${name}: baseline ${baseline} from the next night on, panel ${panel.pinnedBench}; evidence begins anew\n`,
    );
  });
}

function goalOf({ name, input }: Nightly): string {
  const planned = planInput(input);
  if ('plan' in planned) return planned.plan.goal;
  throw new CliError({
    reason: `${name} cannot be planned any more`,
    problems: planned.problems,
    remedy: 'delete it, and create it anew',
  });
}

export interface FoundSchedule {
  stack: Stack;
  db: Database;
  client: Client;
  nightly: Nightly;
  handle: ScheduleHandle;
}

/** @throws CliError when there is no such nightly, or no Schedule of its name */
export async function withSchedule<T>(name: string, work: (found: FoundSchedule) => Promise<T>): Promise<T> {
  return withBenchRows(({ db, stack }) =>
    withTemporal(stack, async (client) => {
      const nightly = await findNamed(db, name);
      if (!(await describeSchedule(client, name))) {
        throw new CliError({
          reason: `${name} has no Schedule ${scheduleIdOf(name)} on this Temporal server`,
          remedy: 'docs/guide/nightly.md has the command that creates one',
        });
      }
      return work({ stack, db, client, nightly, handle: client.schedule.getHandle(scheduleIdOf(name)) });
    }),
  );
}
