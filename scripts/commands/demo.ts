import type { CliCommand } from '../command';

export const demo: CliCommand = {
  name: 'demo',
  register: (program) =>
    program
      .command('demo')
      .description('Run the preset demo: eight simulated models, offline; what it starts it ends')
      .option('--json', 'print one JSON object, the BenchSummary')
      .action(async (options: { json?: true }) => {
        const { runDemo } = require('../bench/run-demo') as typeof import('../bench/run-demo');
        await runDemo({ isJson: Boolean(options.json) });
      }),
};
