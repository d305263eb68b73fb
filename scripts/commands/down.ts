import { createInterface } from 'node:readline/promises';
import { UsageError } from '../cli-error';
import type { CliCommand } from '../command';
import { reportProgress } from '../report-progress';

interface DownOptions {
  wipe?: true;
  yes?: true;
}

export const down: CliCommand = {
  name: 'down',
  register: (program) =>
    program
      .command('down')
      .description('End the worker, Temporal and Postgres that were started here')
      .option('--wipe', 'also delete the databases and logs; files of results stay')
      .option('--yes', 'do not ask before deleting')
      .action(async (options: DownOptions) => {
        const { stopStack } = require('../stack/stop-stack') as typeof import('../stack/stop-stack');
        const { wipeablePaths, wipeStack } =
          require('../stack/wipe-stack') as typeof import('../stack/wipe-stack');
        if (options.wipe && !options.yes) await confirmWipe(await wipeablePaths());
        const ended = await stopStack({ report: reportProgress });
        process.stdout.write(ended.length > 0 ? `ended: ${ended.join(', ')}\n` : 'nothing was running\n');
        if (!options.wipe) return;
        await wipeStack({ report: reportProgress });
        process.stdout.write('wiped: every bench, its ledger and the logs\n');
      }),
};

/** @throws UsageError when the answer is not yes, or nobody is there to give one */
async function confirmWipe(paths: string[]): Promise<void> {
  const remedy = 'add --yes to delete without being asked';
  if (!process.stdin.isTTY) throw new UsageError({ reason: '--wipe needs a confirmation', remedy });
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    process.stderr.write(
      `This deletes every bench and its ledger:\n${paths.map((path) => `  ${path}\n`).join('')}`,
    );
    const answer = await terminal.question('Type yes to go on: ');
    if (answer.trim() !== 'yes') throw new UsageError({ reason: 'nothing was deleted', remedy });
  } finally {
    terminal.close();
  }
}
