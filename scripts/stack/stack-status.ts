import { stackHome } from './home';
import { isAlive } from './own-process';
import { runningPostgres } from './postgres-server';
import { readRecord } from './stack-record';

/** What of the local stack runs at this moment; nothing is started or ended, and no lock is waited for. */
export interface StackStatus {
  home: string;
  postgres: {
    isRunning: boolean;
    port: number;
    pid: number;
    dataDirectory: string;
    user: string | null;
  } | null;
  temporal: { isRunning: boolean; port: number; uiPort: number; pid: number } | null;
  worker: { isRunning: boolean; pid: number; taskQueue: string; log: string } | null;
}

/** null for a part that was never started here. */
export async function stackStatus(): Promise<StackStatus> {
  const home = stackHome();
  const { postgres, temporal, worker } = await readRecord(home.record);
  const running = postgres && (await runningPostgres(postgres.dataDirectory));
  return {
    home: home.root,
    postgres: postgres
      ? {
          isRunning: Boolean(running),
          port: running?.port ?? postgres.port,
          pid: running?.process.pid ?? postgres.process.pid,
          dataDirectory: postgres.dataDirectory,
          user: postgres.user,
        }
      : null,
    temporal: temporal
      ? {
          isRunning: await isAlive(temporal.process),
          port: temporal.port,
          uiPort: temporal.uiPort,
          pid: temporal.process.pid,
        }
      : null,
    worker: worker
      ? {
          isRunning: await isAlive(worker.process),
          pid: worker.process.pid,
          taskQueue: worker.taskQueue,
          log: worker.log,
        }
      : null,
  };
}
