import type { CliCommand } from '../command';

export const prices: CliCommand = {
  name: 'prices',
  register: (program) =>
    program
      .command('prices')
      .description('List the prices that calls are charged at')
      .argument('[part]', 'only models with this in their names')
      .option('--json', 'print one JSON object, the table')
      .action(async (part: string | undefined, options: { json?: true }) => {
        const { pricesText, pricesWith } =
          require('../bench/price-list') as typeof import('../bench/price-list');
        const { printJson } = require('../bench/print-result') as typeof import('../bench/print-result');
        const { coloursFor, widthOf } = require('../bench/terminal') as typeof import('../bench/terminal');
        const table = pricesWith(part ?? '');
        if (options.json) printJson(table);
        else process.stdout.write(pricesText(table, widthOf(process.stdout), coloursFor(process.stdout)));
      }),
};
