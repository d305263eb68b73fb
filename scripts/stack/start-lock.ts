import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lock } from 'proper-lockfile';
import { makeFolder } from '../../activities/reporting/make-folder';
import { CliError } from '../cli-error';

const WAIT_MS = 300_000; // a first start may have to build the Temporal CLI

/**
 * Does the work while no other command starts or stops anything in this home. The lock of a command that was
 * killed lapses after 5 s.
 * @throws CliError when another command holds it for 5 minutes
 */
export async function whileLocked<T>(
  file: string,
  report: (line: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  makeFolder(dirname(file));
  const release = await take(file, report);
  try {
    return await work();
  } finally {
    await release().catch(() => undefined);
  }
}

async function take(file: string, report: (line: string) => void): Promise<() => Promise<void>> {
  const until = Date.now() + WAIT_MS;
  let hasTold = false;
  for (;;) {
    try {
      // A machine that slept past `stale` has lost the lock; what is done under it can be done twice, so go on.
      return await lock(file, {
        realpath: false,
        stale: 5_000,
        update: 1_000,
        onCompromised: () => undefined,
      });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ELOCKED') throw error;
    }
    if (Date.now() > until) {
      throw new CliError({
        reason: `another command has been starting or stopping the stack for ${WAIT_MS / 60_000} minutes`,
        remedy: `end it; if none runs, remove ${file}.lock`,
      });
    }
    if (!hasTold) report('another command is starting or stopping the stack: waiting for it');
    hasTold = true;
    await sleep(200);
  }
}
