import type { CliCommand } from '../command';

export const agree: CliCommand = {
  name: 'agree',
  register: (program) =>
    program
      .command('agree')
      .description('Say how far a person who judged a blind sheet agrees with the judge')
      .argument('<file>', 'the table of export --blind, or of its page, with answers')
      .option('--key <file>', 'the sample’s key; the one named like the table when left out')
      .option('--json', 'print one JSON object')
      .action(async (file: string, options: { key?: string; json?: true }) => {
        const { agreeCommand } =
          require('../report/agree-command') as typeof import('../report/agree-command');
        await agreeCommand(file, { keyPath: options.key ?? null, isJson: Boolean(options.json) });
      }),
};
