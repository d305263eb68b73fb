import { spawn } from 'node:child_process';
import type { SystemUser } from './system-user';

export interface ProgramResult {
  /** null: the program could not be started, or a signal ended it. */
  exitCode: number | null;
  /** Why it could not be started (`ENOENT`, `EACCES`), or `timeout`, `no progress`; null otherwise. */
  problem: string | null;
  stdout: string;
  stderr: string;
}

export interface ProgramOptions {
  /** Milliseconds until the program is killed. */
  timeoutMs: number;
  /** The user to run as; needs root. null: the current one. */
  user?: SystemUser | null;
  /** Replaces the whole environment. */
  env?: NodeJS.ProcessEnv;
  input?: string;
  /** Default: the root folder, which every user can enter. */
  cwd?: string;
  /** Kills it once a figure that should grow has not for so long. */
  stall?: { afterMs: number; measure: () => Promise<number> };
  /** An open file that takes both streams; then `stdout` and `stderr` are empty. */
  outputFd?: number;
}

/** Runs a program to its end and says what came of it. Never throws: a missing program is a result. */
export function runProgram(file: string, args: string[], options: ProgramOptions): Promise<ProgramResult> {
  const { user, outputFd } = options;
  return new Promise((resolve) => {
    const output = outputFd ?? 'pipe';
    const child = spawn(file, args, {
      cwd: options.cwd ?? '/',
      env: options.env ?? process.env,
      stdio: ['pipe', output, output],
      ...(user ? { uid: user.uid, gid: user.gid } : {}),
    });
    const result: ProgramResult = { exitCode: null, problem: null, stdout: '', stderr: '' };
    const stop = (problem: string) => {
      result.problem = problem;
      child.kill('SIGKILL');
    };
    const timer = setTimeout(() => stop('timeout'), options.timeoutMs);
    const watch = options.stall && watchGrowth(options.stall, () => stop('no progress'));
    const end = () => {
      clearTimeout(timer);
      clearInterval(watch);
    };
    child.stdout?.on('data', (chunk: Buffer) => {
      result.stdout += chunk.toString();
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      result.stderr += chunk.toString();
    });
    child.on('error', (error: NodeJS.ErrnoException) => {
      end();
      resolve({ ...result, problem: error.code ?? error.message });
    });
    child.on('close', (exitCode) => {
      end();
      resolve({ ...result, exitCode });
    });
    child.stdin?.on('error', () => undefined); // a program that reads no input may close it first
    child.stdin?.end(options.input ?? '');
  });
}

function watchGrowth(stall: NonNullable<ProgramOptions['stall']>, onStall: () => void): NodeJS.Timeout {
  let largest = -1;
  let grownAt = Date.now();
  return setInterval(async () => {
    const size = await stall.measure();
    if (size > largest) [largest, grownAt] = [size, Date.now()];
    else if (Date.now() - grownAt > stall.afterMs) onStall();
  }, 1_000);
}
