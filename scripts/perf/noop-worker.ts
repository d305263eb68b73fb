import { join } from 'node:path';
import { NativeConnection, Runtime, Worker } from '@temporalio/worker';

/** A program of its own, as a worker is: activities that do nothing, for as long as it is let. */
async function main(): Promise<void> {
  Runtime.install({ shutdownSignals: ['SIGTERM'] });
  const connection = await NativeConnection.connect({ address: process.env.TEMPORAL_ADDRESS ?? '' });
  const worker = await Worker.create({
    connection,
    taskQueue: process.env.CO_SCIENTIST_TASK_QUEUE ?? '',
    workflowsPath: join(__dirname, 'noop-workflow.ts'),
    activities: { noop: async () => {} },
  });
  process.stdout.write('worker ready\n');
  await worker.run();
  await connection.close();
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
