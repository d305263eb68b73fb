import { Option } from 'commander';
import type { CliCommand } from '../command';

interface ExportOptions {
  to?: string;
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
      .option('--to <dir>', 'where to; a folder of CO_SCIENTIST_HOME when left out: artifacts, or csv')
      .addOption(new Option('--csv', 'tables for notebooks instead; of all benches when none is named'))
      .option('--json', 'print one JSON object of what was written')
      .addHelpText('after', NOTES)
      .action(async (text: string | undefined, options: ExportOptions) => {
        const { exportCommand } =
          require('../report/export-command') as typeof import('../report/export-command');
        await exportCommand(text ?? null, {
          to: options.to ?? null,
          isCsv: Boolean(options.csv),
          isJson: Boolean(options.json),
        });
      }),
};

const NOTES = `
The same rows give the same bytes. \`co-scientist verify DIR\` makes every figure again from the raw verdicts;
\`co-scientist import DIR\` writes the rows into an empty database. Files and columns: docs/guide/reports.md`;
