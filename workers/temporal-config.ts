import { loadClientConnectConfig } from '@temporalio/envconfig';
import { readSecret } from '../activities/read-secret';

export type TemporalConfig = ReturnType<typeof loadClientConnectConfig>;

/**
 * Where Temporal is and how to reach it: `TEMPORAL_*` and the profile of `temporal.toml` that `TEMPORAL_PROFILE` names.
 * A variable that is set to nothing counts as not set, as everywhere here: compose files write such.
 * @throws Error when the file or the profile is wrong, or no header can hold the key
 */
export function readTemporalConfig(env: NodeJS.ProcessEnv): TemporalConfig {
  const problems: string[] = [];
  const apiKey = readSecret(env, 'TEMPORAL_API_KEY', problems);
  if (problems.length > 0) throw new Error(problems.join('; '));
  const set = Object.entries(env).filter((entry): entry is [string, string] => Boolean(entry[1]?.trim()));
  const overrideEnvVars = {
    ...Object.fromEntries(set),
    ...(apiKey === null ? {} : { TEMPORAL_API_KEY: apiKey }),
  };
  return loadClientConnectConfig({ overrideEnvVars });
}
