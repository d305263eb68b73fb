import { readTemporalConfig, type TemporalConfig } from '../../workers/temporal-config';
import { CliError } from '../cli-error';

/** A Temporal server and how to reach it. */
export interface TemporalEndpoint {
  /** `host:port` */
  address: string;
  namespace: string;
  /** For `Connection.connect` and `NativeConnection.connect`: address, TLS, API key. */
  connectionOptions: TemporalConfig['connectionOptions'];
  /** Whether the local stack runs it. */
  isOurs: boolean;
}

/**
 * The server the user named in TEMPORAL_ADDRESS or a temporal.toml profile; null: none, so a local one is ours to
 * run.
 * @throws CliError when TEMPORAL_PROFILE or the file is wrong
 */
export function givenTemporal(env: NodeJS.ProcessEnv = process.env): TemporalEndpoint | null {
  const { connectionOptions, namespace } = loadConfig(env);
  const { address } = connectionOptions;
  if (!address) return null;
  return { address, namespace: namespace || 'default', connectionOptions, isOurs: false };
}

function loadConfig(env: NodeJS.ProcessEnv): TemporalConfig {
  try {
    return readTemporalConfig(env);
  } catch (error) {
    throw new CliError({
      reason: `the Temporal configuration cannot be read: ${(error as Error).message}`,
      remedy: 'mend temporal.toml or TEMPORAL_PROFILE, or unset them to have a local server',
      error,
    });
  }
}

/** @throws CliError when nothing answers there within 10 s, or the namespace is not there */
export async function checkGivenTemporal(endpoint: TemporalEndpoint): Promise<void> {
  const { Connection } = require('@temporalio/client') as typeof import('@temporalio/client');
  const { connectionOptions, namespace, address } = endpoint;
  try {
    const connection = await Connection.connect({ ...connectionOptions, connectTimeout: 10_000 });
    try {
      await connection.withDeadline(Date.now() + 10_000, () =>
        connection.workflowService.describeNamespace({ namespace }),
      );
    } finally {
      await connection.close();
    }
  } catch (error) {
    throw new CliError({
      reason: `the Temporal server ${address} does not serve namespace ${namespace}: ${(error as Error).message}`,
      remedy:
        'start that server or mend TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE; unset them to have a local one',
      error,
    });
  }
}
