import type { CliCommand } from '../command';

export const drop: CliCommand = {
  name: 'drop',
  register: (program) =>
    program
      .command('drop')
      .description('Take one candidate out of a running bench, for good')
      .argument('<bench>', 'its id, or as much of its beginning as tells it apart')
      .argument('<label>', "the candidate's")
      .action(async (text: string, label: string) => {
        const { dropFromBench } = require('../bench/change-bench') as typeof import('../bench/change-bench');
        await dropFromBench(text, label);
      }),
};
