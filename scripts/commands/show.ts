import type { CliCommand } from '../command';

export const show: CliCommand = {
  name: 'show',
  register: (program) =>
    program
      .command('show')
      .description('Show what a bench came to, or how far it is')
      .argument('<bench>', 'its id, or as much of its beginning as tells it apart')
      .option('--json', 'print one JSON object, the BenchSummary')
      .action(async (text: string, options: { json?: true }) => {
        const { withBenchRows } =
          require('../bench/bench-connection') as typeof import('../bench/bench-connection');
        const { findBenchId } = require('../bench/find-bench') as typeof import('../bench/find-bench');
        const { showBench } = require('../bench/show-bench') as typeof import('../bench/show-bench');
        await withBenchRows(async ({ db, stack }) => {
          await showBench(db, stack, await findBenchId(db, text), { isJson: Boolean(options.json) });
        });
      }),
};
