import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { TestTemporal } from '../stack/test-temporal';

const run = promisify(execFile);

/**
 * Runs the real Temporal CLI against the test server, as a user would at a shell.
 * @returns what it wrote to stdout
 * @throws with what it wrote to stderr when it exits with another code than 0
 */
export async function temporalCli(
  { executable, address, namespace }: TestTemporal,
  ...args: string[]
): Promise<string> {
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
  };
  const { stdout } = await run(executable, args, { env, maxBuffer: 64 * 2 ** 20 });
  return stdout;
}

/** Makes the namespace that these settings name, for a test that cannot share one. */
export async function createNamespace(temporal: TestTemporal): Promise<void> {
  const args = ['operator', 'namespace', 'create', '-n', temporal.namespace, '--retention', '24h'];
  await temporalCli(temporal, ...args);
}
