import { InvalidArgumentError, Option } from 'commander';
import type { CliCommand } from '../command';

interface ShowOptions {
  match?: number;
  hypothesis?: string;
  methods?: true;
  json?: true;
}

export const show: CliCommand = {
  name: 'show',
  register: (program) =>
    program
      .command('show')
      .description('Show what a bench came to, or how far it is; or one match or hypothesis of it')
      .argument('<bench>', 'its id, or as much of its beginning as tells it apart')
      .addOption(
        new Option(
          '--match <index>',
          'both hypotheses, reviews and verdicts of one match, by its number from 0',
        )
          .argParser(readIndex)
          .conflicts(['hypothesis', 'methods']),
      )
      .addOption(
        new Option(
          '--hypothesis <which>',
          'one slot: its number in the order of the plan from 1, <label>/<k>, or hyp_…',
        ).conflicts('methods'),
      )
      .option('--methods', 'the paragraph that a paper needs')
      .option('--json', 'print one JSON object, the BenchSummary where nothing else is asked for')
      .action(async (text: string, { match, hypothesis, methods, json }: ShowOptions) => {
        const { withBenchRows } =
          require('../bench/bench-connection') as typeof import('../bench/bench-connection');
        const { findBenchId } = require('../bench/find-bench') as typeof import('../bench/find-bench');
        await withBenchRows(async ({ db, stack }) => {
          const benchId = await findBenchId(db, text);
          const options = { isJson: Boolean(json) };
          if (match !== undefined) {
            const { showMatch } = require('../bench/show-match') as typeof import('../bench/show-match');
            await showMatch(db, benchId, match, options);
          } else if (hypothesis !== undefined) {
            const { showHypothesis } =
              require('../bench/show-hypothesis') as typeof import('../bench/show-hypothesis');
            await showHypothesis(db, benchId, hypothesis, options);
          } else if (methods) {
            const { showMethods } =
              require('../bench/show-methods') as typeof import('../bench/show-methods');
            await showMethods(db, benchId, options);
          } else {
            const { showBench } = require('../bench/show-bench') as typeof import('../bench/show-bench');
            await showBench(db, stack, benchId, options);
          }
        });
      }),
};

function readIndex(text: string): number {
  if (!/^\d+$/.test(text))
    throw new InvalidArgumentError('a whole number from 0, as pages number the matches');
  return Number(text);
}
