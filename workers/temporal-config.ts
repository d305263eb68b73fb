import { loadClientConnectConfig } from '@temporalio/envconfig';

export type TemporalConfig = ReturnType<typeof loadClientConnectConfig>;

/**
 * Where Temporal is and how to reach it: `TEMPORAL_*` and the profile of `temporal.toml` that `TEMPORAL_PROFILE` names.
 * A variable that is set to nothing counts as not set, as everywhere here: compose files write such.
 * @throws Error when the file or the profile is wrong
 */
export function readTemporalConfig(env: NodeJS.ProcessEnv): TemporalConfig {
  const set = Object.entries(env).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return loadClientConnectConfig({ overrideEnvVars: Object.fromEntries(set) });
}
