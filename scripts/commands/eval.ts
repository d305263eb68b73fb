import type { CliCommand } from '../command';

export const evalBench: CliCommand = {
  name: 'eval',
  register: (program) =>
    program
      .command('eval')
      .description('Hold recorded transcripts against the rules: a line a check, exit 1 when one fails')
      .argument('[agent]', 'generation, reflection, ranking or overview; left out: all, and from end to end')
      .option('--bench <id>', 'a bench of the database; with --from, one of that folder')
      .option('--from <dir>', 'exported artifacts, as export --to writes them')
      .option('--offline', 'call nobody: also what it does without this')
      .option(
        '--min-compliance <share>',
        'share of the answers that must be the records asked for, 0 to 1',
        '1',
      )
      .option('--json', 'print one JSON object: {"transcripts", "passed", "checks"}')
      .option('--junit <file>', 'write JUnit XML too')
      .addHelpText(
        'after',
        '\nWithout --bench and --from it reads the transcripts that come with this program.',
      )
      .action(async (agent: string | undefined, options: Record<string, string | true | undefined>) => {
        const { evalCommand } = require('../eval/eval-command') as typeof import('../eval/eval-command');
        await evalCommand(agent ?? null, options);
      }),
};
