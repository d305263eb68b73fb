import type { CliCommand } from '../command';

export const compare: CliCommand = {
  name: 'compare',
  register: (program) =>
    program
      .command('compare')
      .description('Set two benches against each other, where they are on one judge’s scale')
      .argument('<before>', 'a bench, by its id or as much of its beginning as tells it apart')
      .argument('<after>', 'the other one')
      .option('--json', 'print one JSON object')
      .action(async (before: string, after: string, options: { json?: true }) => {
        const { compareTwo } =
          require('../rating/compare-command') as typeof import('../rating/compare-command');
        await compareTwo(before, after, { isJson: Boolean(options.json) });
      }),
};
