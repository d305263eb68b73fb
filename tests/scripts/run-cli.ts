import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';

const BIN = join(resolve(__dirname, '..', '..'), 'scripts', 'bin.cjs');

export interface CliRun {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs the CLI as a user would, without whatever of the developer's own settings could reach it.
 * @param env added to PATH and HOME; nothing else of this process's environment is passed on
 * @param options.stdin what it reads there; nothing when left out
 * @param options.onStderr told of all it has said so far, with the way to interrupt it as Ctrl-C would
 */
export function runCli(
  args: string[],
  env: Record<string, string> = {},
  options: { stdin?: string; onStderr?: (text: string, interrupt: () => void) => void } = {},
): Promise<CliRun> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [BIN, ...args], { env: { PATH, HOME, ...env } });
  child.stdin.end(options.stdin ?? '');
  const run: CliRun = { exitCode: null, stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    run.stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    run.stderr += chunk.toString();
    options.onStderr?.(run.stderr, () => child.kill('SIGINT'));
  });
  return new Promise((done) => {
    child.on('close', (exitCode) => done({ ...run, exitCode }));
  });
}
