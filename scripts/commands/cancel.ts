import type { CliCommand } from '../command';

export const cancel: CliCommand = {
  name: 'cancel',
  register: (program) =>
    program
      .command('cancel')
      .description('End a bench; what it has is kept and summed up')
      .argument('<bench>', 'its id, or as much of its beginning as tells it apart')
      .option('--json', 'print one JSON object, the BenchSummary')
      .action(async (text: string, options: { json?: true }) => {
        const { cancelBench } = require('../bench/cancel-bench') as typeof import('../bench/cancel-bench');
        await cancelBench(text, { isJson: Boolean(options.json) });
      }),
};
