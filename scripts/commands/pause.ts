import type { CliCommand } from '../command';

export const pause: CliCommand = {
  name: 'pause',
  register: (program) =>
    program
      .command('pause')
      .description('Begin nothing new in a bench until it is unpaused; calls in flight end and are kept')
      .argument('<bench>', 'its id, or as much of its beginning as tells it apart')
      .action(async (text: string) => {
        const { signalBench } = require('../bench/change-bench') as typeof import('../bench/change-bench');
        await signalBench(text, 'pause');
      }),
};
