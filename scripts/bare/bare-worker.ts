import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NativeConnection, Runtime, Worker } from '@temporalio/worker';

const activities = {
  async noop(): Promise<void> {},
  async wait(ms: number): Promise<void> {
    await sleep(ms);
  },
};

export type BareActivities = typeof activities;

/** A program of its own, as a worker is, for as long as it is let. */
async function main(): Promise<void> {
  Runtime.install({ shutdownSignals: ['SIGTERM'] });
  const connection = await NativeConnection.connect({ address: process.env.TEMPORAL_ADDRESS ?? '' });
  const worker = await Worker.create({
    connection,
    taskQueue: process.env.CO_SCIENTIST_TASK_QUEUE ?? '',
    workflowsPath: join(__dirname, 'bare-workflows.ts'),
    activities,
  });
  process.stdout.write('worker ready\n');
  await worker.run();
  await connection.close();
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
