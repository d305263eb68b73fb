import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LogFile } from './log-file';
import { identify, type OwnProcess } from './own-process';

/** A process that outlives the one that started it: no terminal, no Ctrl-C, its words in a log. */
export interface DetachedProcess {
  process: OwnProcess;
  /** How it ended (`exit code 1`, `SIGKILL`); null while it runs. Known to the starter only. */
  ended(): string | null;
}

/**
 * Starts it.
 * @param options.env its whole environment: what it does not need, it does not get
 * @throws Error when the program cannot be started or is gone at once
 */
export async function startDetached(
  file: string,
  args: string[],
  options: { env: NodeJS.ProcessEnv; log: LogFile; cwd: string },
): Promise<DetachedProcess> {
  const { env, log, cwd } = options;
  const child = spawn(file, args, { cwd, env, detached: true, stdio: ['ignore', log.fd, log.fd] });
  let end: string | null = null;
  child.on('exit', (code, signal) => {
    end = signal ?? `exit code ${code}`;
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  child.unref();
  const own = child.pid === undefined ? null : await identify(child.pid);
  if (!own) throw new Error(`${file} ended at once`);
  return { process: own, ended: () => end };
}

/**
 * Asks again and again until it is ready.
 * @returns null when ready; otherwise why not: how it ended, or that it took too long
 */
export async function waitUntilReady(
  started: DetachedProcess,
  isReady: () => Promise<boolean>,
  timeoutMs: number,
): Promise<string | null> {
  const until = Date.now() + timeoutMs;
  while (Date.now() < until) {
    if (await isReady()) return null;
    const end = started.ended();
    if (end) return `it ended with ${end}`;
    await sleep(50);
  }
  return `it was not ready after ${Math.round(timeoutMs / 1000)} s`;
}
