import type { CliCommand } from '../command';

export const report: CliCommand = {
  name: 'report',
  register: (program) =>
    program
      .command('report')
      .description('Write a bench’s page and Markdown, and the page of all benches')
      .argument('<bench>', 'its id, or as much of its beginning as tells it apart')
      .option('--to <dir>', 'where to; the folder reports of CO_SCIENTIST_HOME when left out')
      .option('--json', 'print one JSON object: {"html", "markdown", "all", "pages"}')
      .action(async (text: string, options: { to?: string; json?: true }) => {
        const { reportCommand } =
          require('../report/report-command') as typeof import('../report/report-command');
        await reportCommand(text, { to: options.to ?? null, isJson: Boolean(options.json) });
      }),
};
