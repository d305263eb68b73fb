import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { type BundleVariable, bundleVariable } from '../stack/cached-workflow-bundle';
import { type Lab, openLab } from './lab';
import { endAllWorkers } from './worker-process';

/** What every chaos program works with. */
export interface Bed {
  lab: Lab;
  client: Client;
  workflowBundle: BundleVariable;
  /** All workers of the run write here. */
  logFile: string;
}

/** Opens a lab for some work and ends all that was started, also when the work fails or somebody presses Ctrl-C. */
export async function inLab<T>(work: (bed: Bed) => Promise<T>): Promise<T> {
  const lab = await openLab((line) => console.error(line));
  const leave = (): void => {
    endAllWorkers();
    void lab.close().finally(() => process.exit(130));
  };
  process.once('SIGINT', leave).once('SIGTERM', leave);
  let connection: Connection | undefined;
  try {
    const workflowBundle = await bundleVariable();
    connection = await Connection.connect({ address: lab.temporalAddress });
    const client = new Client({ connection, namespace: lab.namespace });
    return await work({ lab, client, workflowBundle, logFile: join(lab.folder, 'worker.log') });
  } finally {
    endAllWorkers();
    await connection?.close();
    await lab.close();
    process.off('SIGINT', leave).off('SIGTERM', leave);
  }
}
