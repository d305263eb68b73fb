import type { CliCommand } from '../command';

export const verify: CliCommand = {
  name: 'verify',
  register: (program) =>
    program
      .command('verify')
      .description(
        'Check exported artifacts: schemas, hashes, and every figure made again from the raw verdicts',
      )
      .argument('<dir>', 'what --to of export was, or one session’s folder in it')
      .option('--json', 'print one JSON object: {"benches", "problems"}')
      .checkingToo((dir: string | undefined) => {
        const { requireFolder } =
          require('../report/verify-command') as typeof import('../report/verify-command');
        if (dir !== undefined) requireFolder(dir);
      })
      .action((dir: string, options: { json?: true }) => {
        const { verifyCommand } =
          require('../report/verify-command') as typeof import('../report/verify-command');
        verifyCommand(dir, { isJson: Boolean(options.json) });
      }),
};
