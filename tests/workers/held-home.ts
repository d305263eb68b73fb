import { Client, Connection } from '@temporalio/client';
import { type Database, openDatabase } from '../../db/database';
import { holdRow } from '../../db/row-hold';
import { type HoldingDouble, startHoldingDouble } from '../workflows/held-calls';
import { until } from '../workflows/until';
import { createWorkerHome, type WorkerHome, type WorkerProcess } from './worker-process';

/** A home of workers whose models answer when they are let to. */
export interface HeldHome extends WorkerHome {
  double: HoldingDouble;
  db: Database;
  client: Client;
  /** To be called when its workers have ended. */
  close(): Promise<void>;
}

export async function createHeldHome(env: Record<string, string> = {}): Promise<HeldHome> {
  const double = await startHoldingDouble();
  const home = await createWorkerHome({ ...double.env, ...env });
  const db = openDatabase(home.database.workerUrl);
  const connection = await Connection.connect({ address: home.temporal.address });
  return {
    ...home,
    ...{ double, db, client: new Client({ connection, namespace: home.temporal.namespace }) },
    close: async () => {
      await connection.close();
      await db.destroy();
      await home.database.drop();
      await double.stop();
    },
  };
}

/**
 * Answers what is in flight of a bench, and has the answer booked by a worker that is frozen before it learns of that.
 * @param scope of the budget that the answer is booked on
 */
export async function bookUnseen(
  { double, database }: HeldHome,
  worker: WorkerProcess,
  { benchId, scope, isBooked }: { benchId: string; scope: string; isBooked(): Promise<boolean> },
): Promise<void> {
  const hold = await holdRow(database.workerUrl, 'bench_budgets', scope);
  double.letGo(benchId);
  await until('its booking waits for the row held', async () => (await hold.waiting()).length > 0);
  worker.freeze();
  await hold.release();
  await until('it is booked', isBooked);
}
