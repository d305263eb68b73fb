import { stackHome } from './home';
import { localDataDirectory } from './local-postgres';
import { endTemporal } from './local-temporal';
import { endWorkers } from './local-worker';
import { stopPostgres } from './postgres-server';
import { readRecord } from './stack-record';
import { whileLocked } from './start-lock';

export type StackPart = 'worker' | 'temporal' | 'postgres';

/**
 * Ends the worker, Temporal and Postgres that we started, in this order. A process
 * that has got the number of one of ours is left alone.
 * @returns the parts that were running
 */
export async function stopStack(options: { report: (line: string) => void }): Promise<StackPart[]> {
  const home = stackHome();
  return whileLocked(home.lock, options.report, async () => {
    const { worker, temporal, postgres } = await readRecord(home.record);
    const ended: StackPart[] = [];
    if (await endWorkers(home.root, worker, options.report)) ended.push('worker');
    if (await endTemporal(home, temporal)) ended.push('temporal');
    const dataDirectory = postgres?.dataDirectory ?? (await localDataDirectory(home));
    if (await stopPostgres(dataDirectory)) ended.push('postgres');
    return ended;
  });
}
