import type { CliCommand } from '../command';

export const raiseBudget: CliCommand = {
  name: 'raise-budget',
  register: (program) =>
    program
      .command('raise-budget')
      .description('Raise a cap of a bench; what it had closed opens again')
      .argument('<bench>', 'its id, or as much of its beginning as tells it apart')
      .argument('<scope>', "a candidate's label, judge, or bench")
      .argument('<usd>', 'the new cap in dollars')
      .action(async (text: string, scope: string, usd: string) => {
        const { raiseBenchBudget } =
          require('../bench/change-bench') as typeof import('../bench/change-bench');
        await raiseBenchBudget(text, scope, usd);
      }),
};
