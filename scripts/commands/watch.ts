import type { CliCommand } from '../command';

export const watch: CliCommand = {
  name: 'watch',
  register: (program) =>
    program
      .command('watch')
      .description('Follow a bench to its end; Ctrl-C leaves it alive')
      .argument('<bench>', 'its id, or as much of its beginning as tells it apart')
      .option('--json', 'print one JSON object at the end, the BenchSummary')
      .action(async (text: string, options: { json?: true }) => {
        const { Interrupted, sayLeft } =
          require('../bench/leave-on-interrupt') as typeof import('../bench/leave-on-interrupt');
        const { watchBench } = require('../bench/watch-bench') as typeof import('../bench/watch-bench');
        try {
          await watchBench(text, { isJson: Boolean(options.json) });
        } catch (error) {
          if (!(error instanceof Interrupted)) throw error;
          sayLeft(error.benchId);
        }
      }),
};
