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
      .option('--judge <model>', 'have provider:model score the work of --bench by the rubrics too')
      .option('--sample <count>', 'with --judge: pieces of work of each agent, at most (5)')
      .option('--max-usd <amount>', 'with --judge: of all scores of the bench together (1)')
      .option('--max-in-flight <count>', 'with --judge: scores asked for at once (10)')
      .option('--price <in,out>', 'with --judge: its dollars per million tokens, where no table has them')
      .option('--yes', 'with --judge: do not ask before anything is paid')
      .option('--offline', 'call nobody: also what it does without --judge')
      .option(
        '--min-compliance <share>',
        'share of the answers that must be the records asked for, 0 to 1',
        '1',
      )
      .option('--json', 'print one JSON object: {"transcripts", "passed", "rubric"}')
      .option('--junit <file>', 'write JUnit XML too')
      .addHelpText(
        'after',
        '\nWithout --bench and --from it reads the transcripts that come with this program.',
      )
      .checkingToo((agent: string | undefined, options: Record<string, string | true | undefined>) => {
        const { readEvalRequest } = require('../eval/eval-request') as typeof import('../eval/eval-request');
        readEvalRequest(agent ?? null, options);
      })
      .action(async (agent: string | undefined, options: Record<string, string | true | undefined>) => {
        const { evalCommand } = require('../eval/eval-command') as typeof import('../eval/eval-command');
        await evalCommand(agent ?? null, options);
      }),
};
