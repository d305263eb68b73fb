import type { CliCommand } from '../command';

export const unpause: CliCommand = {
  name: 'unpause',
  register: (program) =>
    program
      .command('unpause')
      .description('Go on where a pause, or a hold of its own, stopped a bench')
      .argument('<bench>', 'its id, or as much of its beginning as tells it apart')
      .action(async (text: string) => {
        const { signalBench } = require('../bench/change-bench') as typeof import('../bench/change-bench');
        await signalBench(text, 'unpause');
      }),
};
