import type { CliCommand } from '../command';

export const costs: CliCommand = {
  name: 'costs',
  register: (program) =>
    program
      .command('costs')
      .description('What a bench has cost, by candidate, purpose and model; reported against computed')
      .argument('<bench>', 'its id, or as much of its beginning as tells it apart')
      .option('--json', 'print one JSON object')
      .action(async (text: string, options: { json?: true }) => {
        const { showCosts } = require('../bench/show-costs') as typeof import('../bench/show-costs');
        await showCosts(text, { isJson: Boolean(options.json) });
      }),
};
