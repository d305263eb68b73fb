import { CliError } from '../cli-error';

/**
 * Asks before something is paid for. Not asked with `--yes`, and without a terminal to answer on.
 * @throws CliError when the answer is not yes
 */
export async function confirm(question: string, { isYes }: { isYes: boolean }): Promise<void> {
  if (isYes || !process.stdin.isTTY || !process.stderr.isTTY) return;
  const { createInterface } = require('node:readline/promises') as typeof import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(question);
    if (/^y(es)?$/i.test(answer.trim())) return;
  } finally {
    terminal.close();
  }
  throw new CliError({ reason: 'nothing was started', remedy: '--yes starts without asking' });
}
