import { stackHome } from './home';
import { WORKER_GRACE_MS } from './local-worker';
import { endProcess, isAlive } from './own-process';
import { stopPostgres } from './postgres-server';
import { openRecord } from './stack-record';
import { whileLocked } from './start-lock';

export type StackPart = 'worker' | 'temporal' | 'postgres';

/**
 * Ends the worker, Temporal and Postgres that we started, in this order. What runs already is told by stack.json; a
 * process that has got the number of one of ours is left alone.
 * @returns the parts that were running
 */
export async function stopStack(options: { report: (line: string) => void }): Promise<StackPart[]> {
  const home = stackHome();
  return whileLocked(home.lock, options.report, async () => {
    const record = await openRecord(home.record);
    const { worker, temporal, postgres } = record.now;
    const ended: StackPart[] = [];
    if (worker && (await isAlive(worker.process))) {
      options.report('ending the worker; a call in flight gets 30 s');
      await endProcess(worker.process, WORKER_GRACE_MS);
      ended.push('worker');
    }
    if (await endProcess(temporal?.process, 10_000)) ended.push('temporal');
    if (postgres && (await stopPostgres(postgres.dataDirectory))) ended.push('postgres');
    return ended;
  });
}
