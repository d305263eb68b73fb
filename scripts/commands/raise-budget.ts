import { Argument, InvalidArgumentError } from 'commander';
import type { CliCommand } from '../command';

export const raiseBudget: CliCommand = {
  name: 'raise-budget',
  register: (program) =>
    program
      .command('raise-budget')
      .description('Raise a cap of a bench; what it had closed opens again')
      .argument('<bench>', 'its id, or as much of its beginning as tells it apart')
      .argument('<scope>', "a candidate's label, judge, or bench")
      .addArgument(new Argument('<usd>', 'the new cap in dollars').argParser(readCap))
      .mendedBy('for example: co-scientist raise-budget <bench> judge 7.50')
      .action(async (text: string, scope: string, capUsd: number) => {
        const { raiseBenchBudget } =
          require('../bench/change-bench') as typeof import('../bench/change-bench');
        await raiseBenchBudget(text, scope, capUsd);
      }),
};

function readCap(text: string): number {
  const { MAX_CAP_USD } =
    require('../../core/planned-settings') as typeof import('../../core/planned-settings');
  const capUsd = Number(text);
  if (text.trim() !== '' && capUsd > 0 && capUsd <= MAX_CAP_USD) return capUsd;
  throw new InvalidArgumentError(`a cap in dollars: a number above 0 and at most ${MAX_CAP_USD}, as in 7.50`);
}
