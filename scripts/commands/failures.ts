import type { CliCommand } from '../command';

export const failures: CliCommand = {
  name: 'failures',
  register: (program) =>
    program
      .command('failures')
      .description('Everything of a bench that went wrong and was not scored, with its kind and request id')
      .argument('<bench>', 'its id, or as much of its beginning as tells it apart')
      .option('--json', 'print one JSON object')
      .action(async (text: string, options: { json?: true }) => {
        const { showFailures } = require('../bench/show-failures') as typeof import('../bench/show-failures');
        await showFailures(text, { isJson: Boolean(options.json) });
      }),
};
