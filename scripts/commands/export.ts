import { InvalidArgumentError, Option } from 'commander';
import type { CliCommand } from '../command';

interface ExportOptions {
  to?: string;
  blind?: number;
  csv?: true;
  json?: true;
}

export const exportBench: CliCommand = {
  name: 'export',
  register: (program) =>
    program
      .command('export')
      .description('Write a bench’s artifacts: settings, verdicts, hypotheses and every call, as JSON')
      .argument('[bench]', 'its id, or as much of its beginning as tells it apart')
      .option('--to <dir>', 'where to; a folder of CO_SCIENTIST_HOME when left out: artifacts, csv or blind')
      .addOption(new Option('--csv', 'tables for notebooks instead; of all benches when none is named'))
      .addOption(
        new Option(
          '--blind <n>',
          'n matches for people to judge instead: unlabelled, sides shuffled, key apart',
        )
          .argParser(readCount)
          .conflicts('csv'),
      )
      .option('--json', 'print one JSON object of what was written')
      .addHelpText('after', NOTES)
      .action(async (text: string | undefined, options: ExportOptions) => {
        if (options.blind !== undefined) {
          const { blindCommand } =
            require('../report/blind-command') as typeof import('../report/blind-command');
          await blindCommand(text ?? null, options.blind, {
            to: options.to ?? null,
            isJson: Boolean(options.json),
          });
          return;
        }
        const { exportCommand } =
          require('../report/export-command') as typeof import('../report/export-command');
        await exportCommand(text ?? null, {
          to: options.to ?? null,
          isCsv: Boolean(options.csv),
          isJson: Boolean(options.json),
        });
      }),
};

function readCount(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('a number of matches, 1 to 9999');
  return Number(text);
}

const NOTES = `
The same rows give the same bytes. \`co-scientist verify DIR\` makes every figure
again from the raw verdicts; \`co-scientist import DIR\` writes the rows into an
empty database. \`co-scientist agree FILE.csv\` reads a blind sheet that somebody
has filled in. Files and columns: docs/guide/reports.md`;
