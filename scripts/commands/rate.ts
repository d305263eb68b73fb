import type { CliCommand } from '../command';
import type { RateOptions } from '../rating/rate-file';

export const rate: CliCommand = {
  name: 'rate',
  register: (program) =>
    program
      .command('rate')
      .description('Rate anybody’s verdicts from a CSV file; needs neither Postgres nor Temporal')
      .argument('<file>', 'columns left, right, winner (left, right or tie), or - for stdin')
      .option('--method <name>', 'bt, or elo: sequential, in the order of the rows', 'bt')
      .option('--k <number>', 'K of sequential Elo (default: 4)')
      .option('--start <number>', 'where sequential Elo starts (default: 1000)')
      .option('--json', 'print {"clustered", "settings", "ratings": [{"item", "rating", "low", "high", …}]}')
      .addHelpText(
        'after',
        '\nOptional columns: cluster (the match that both orders belong to), left_group and\nright_group (what the items belong to, or what stands for them).\ndocs/guide/ratings.md says what follows from each.',
      )
      .checkingToo((path: string | undefined, options: RateOptions) => load().checkRate(path ?? '-', options))
      .action((path: string, options: RateOptions) => load().rateFile(path, options)),
};

function load(): typeof import('../rating/rate-file') {
  return require('../rating/rate-file') as typeof import('../rating/rate-file');
}
