import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { CliError } from '../cli-error';
import { runProgram } from './run-program';

/** The CLI's release that is downloaded or built when the machine has none: the newest `go install` can build. */
export const TEMPORAL_CLI_VERSION = '1.5.1';

export type TemporalCliOrigin = 'TEMPORAL_CLI_PATH' | 'PATH' | 'cache' | 'download' | 'go install';

/** A Temporal CLI that was seen to run. */
export interface TemporalCli {
  executable: string;
  /** Of the server inside, as in `1.29.1`. */
  serverVersion: string;
  origin: TemporalCliOrigin;
}

/** Where a CLI that we fetched or built is kept, for every checkout of this user. */
export function cachedTemporalCli(env: NodeJS.ProcessEnv = process.env): string {
  return join(cacheFolder(env), `temporal-${TEMPORAL_CLI_VERSION}`, 'temporal');
}

/** What may be made anew at any time, of all checkouts and homes of this user. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'co-scientist-bench');
}

/**
 * Looks for a CLI on this machine: TEMPORAL_CLI_PATH, then PATH, then our cache.
 * @returns null when there is none
 * @throws CliError when TEMPORAL_CLI_PATH names something else
 */
export async function findTemporalCli(env: NodeJS.ProcessEnv = process.env): Promise<TemporalCli | null> {
  if (env.TEMPORAL_CLI_PATH) return cliAtGivenPath(env.TEMPORAL_CLI_PATH);
  for (const folder of (env.PATH ?? '').split(delimiter).filter(Boolean)) {
    const executable = join(folder, 'temporal');
    const serverVersion = await serverVersionOf(executable);
    if (serverVersion) return { executable, serverVersion, origin: 'PATH' };
  }
  const executable = cachedTemporalCli(env);
  const serverVersion = await serverVersionOf(executable);
  return serverVersion ? { executable, serverVersion, origin: 'cache' } : null;
}

async function cliAtGivenPath(executable: string): Promise<TemporalCli> {
  const serverVersion = await serverVersionOf(executable);
  if (serverVersion) return { executable, serverVersion, origin: 'TEMPORAL_CLI_PATH' };
  throw new CliError({
    reason: `TEMPORAL_CLI_PATH is ${executable}, which is not a Temporal CLI that runs here`,
    remedy: 'set it to the file `temporal` itself, or unset it',
  });
}

/** The server's version inside a CLI; null when the file is missing, is something else or does not run. */
export async function serverVersionOf(executable: string): Promise<string | null> {
  const isExecutable = await access(executable, constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!isExecutable) return null;
  const answer = await runProgram(executable, ['--version'], { timeoutMs: 20_000 });
  return /^temporal version \S+ \(Server ([^\s,)]+)/.exec(answer.stdout)?.[1] ?? null;
}
