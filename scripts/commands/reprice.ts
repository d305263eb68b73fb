import type { CliCommand } from '../command';

export const reprice: CliCommand = {
  name: 'reprice',
  register: (program) =>
    program
      .command('reprice')
      .description('What a bench would have cost at other prices; the bench stays as it is')
      .argument('<bench>', 'its id, or as much of its beginning as tells it apart')
      .requiredOption('--table <name>', 'a dated price table; co-scientist prices names it')
      .option('--json', 'print one JSON object')
      .checkingToo((_: string | undefined, { table }: { table?: string }) => {
        const { findTable } = require('../bench/show-repriced') as typeof import('../bench/show-repriced');
        if (table !== undefined) findTable(table);
      })
      .action(async (text: string, options: { table: string; json?: true }) => {
        const { showRepriced } = require('../bench/show-repriced') as typeof import('../bench/show-repriced');
        await showRepriced(text, { tableName: options.table, isJson: Boolean(options.json) });
      }),
};
