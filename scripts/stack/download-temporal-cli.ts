import { TEMPORAL_CLI_VERSION } from './temporal-cli';

/**
 * A program of its own: lets the Temporal SDK download the CLI into the folder named by its first argument. The SDK
 * does that only on the way to starting a server, so one is started and ended.
 */
async function main(downloadDir: string): Promise<void> {
  const { TestWorkflowEnvironment } = require('@temporalio/testing') as typeof import('@temporalio/testing');
  const environment = await TestWorkflowEnvironment.createLocal({
    server: {
      executable: { type: 'cached-download', downloadDir, version: `v${TEMPORAL_CLI_VERSION}` },
    },
  });
  await environment.teardown();
}

main(process.argv[2] ?? '').catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message.split('\n')[0] : String(error)}\n`);
  process.exit(1);
});
