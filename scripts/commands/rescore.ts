import type { CliCommand } from '../command';

export const rescore: CliCommand = {
  name: 'rescore',
  register: (program) =>
    program
      .command('rescore')
      .description('Score a bench that has ended by another gold set, for nothing; its own score stays')
      .argument('<bench>', 'its id, or as much of its beginning as tells it apart')
      .requiredOption(
        '--goldset <set>',
        'a name of `co-scientist goldsets`, or the path of a JSON file of your own',
      )
      .option('--json', 'print one JSON object')
      .checkingToo(async (_: string | undefined, { goldset }: { goldset?: string }) => {
        const { findNamedGoldSet } =
          require('../bench/named-gold-set') as typeof import('../bench/named-gold-set');
        if (goldset !== undefined) await findNamedGoldSet(goldset);
      })
      .action(async (text: string, options: { goldset: string; json?: true }) => {
        const { rescoreBench } = require('../bench/rescore-bench') as typeof import('../bench/rescore-bench');
        await rescoreBench(text, { nameOrPath: options.goldset, isJson: Boolean(options.json) });
      }),
};
