import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until something is so.
 * @throws naming it when it is still not so after a while far longer than it should take
 */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 50_000;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`still not so: ${what}`);
    await sleep(25);
  }
}
