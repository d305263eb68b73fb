import type { CliCommand } from '../command';

export const importBench: CliCommand = {
  name: 'import',
  register: (program) =>
    program
      .command('import')
      .description('Write exported artifacts into this database: a bench to look at, offline')
      .argument('<dir>', 'what --to of export was, or one session’s folder in it')
      .option('--unverified', 'also where figures differ from the raw verdicts')
      .option('--json', 'print one JSON object: {"benches"}')
      .checkingToo((dir: string | undefined) => {
        const { requireFolder } =
          require('../report/verify-command') as typeof import('../report/verify-command');
        if (dir !== undefined) requireFolder(dir);
      })
      .action(async (dir: string, options: { unverified?: true; json?: true }) => {
        const { importCommand } =
          require('../report/import-command') as typeof import('../report/import-command');
        await importCommand(dir, {
          isVerifying: !options.unverified,
          isJson: Boolean(options.json),
        });
      }),
};
