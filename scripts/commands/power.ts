import { Option } from 'commander';
import type { CliCommand } from '../command';
import type { PowerOptions } from '../rating/show-power';

export const power: CliCommand = {
  name: 'power',
  register: (program) =>
    program
      .command('power')
      .description('How many hypotheses, matches and dollars it takes to see a gap; starts nothing')
      .requiredOption('--gap <elo>', 'the gap between two candidates that is to be seen')
      .requiredOption('--candidates <count>', 'candidates of the bench')
      .option('--from <bench>', 'take spread, noise and costs from a bench')
      .addOption(
        new Option('--preset <name>', 'take prices from its models (default: paper-aml-vs-raw)').conflicts(
          'from',
        ),
      )
      .option('--json', 'print one JSON object')
      .action(async (options: PowerOptions) => {
        const { showPower } = require('../rating/show-power') as typeof import('../rating/show-power');
        await showPower(options);
      }),
};
