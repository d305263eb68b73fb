import type { CliCommand } from '../command';
import { reportProgress } from '../report-progress';

export const up: CliCommand = {
  name: 'up',
  register: (program) =>
    program
      .command('up')
      .description('Start what a bench needs: Postgres, its schema, Temporal and a worker')
      .addHelpText(
        'after',
        '\nOnly what is missing is started. It goes on after this command;\n`co-scientist down` ends it.',
      )
      .action(async () => {
        const { bringUp } = require('../stack/ensure-stack') as typeof import('../stack/ensure-stack');
        const { coloursFor } = require('../bench/terminal') as typeof import('../bench/terminal');
        const { placeOf } = require('../stack/given-database') as typeof import('../stack/given-database');
        const { stack, applied } = await bringUp({
          report: reportProgress,
          migratesGiven: true,
          worker: 'always',
        });
        const rows: [string, string][] = [
          ['Postgres', placeOf(stack.databaseUrls.worker)],
          ['Schema', applied.length > 0 ? `migrated: ${applied.join(', ')}` : 'up to date'],
          ['Temporal', `${stack.temporal.address}, namespace ${stack.temporal.namespace}`],
          ['UI', stack.uiUrl ?? 'that of your Temporal server'],
          ['Worker', 'ready'],
          ['Logs', stack.logs],
        ];
        const { bold } = coloursFor(process.stdout);
        for (const [name, value] of rows) process.stdout.write(`${bold(name.padEnd(9))} ${value}\n`);
      }),
};
