import { InvalidArgumentError } from 'commander';
import type { CliCommand } from '../command';

export const list: CliCommand = {
  name: 'list',
  register: (program) =>
    program
      .command('list')
      .description('List the benches, newest first')
      .option('--limit <count>', 'how many at most', readLimit, 20)
      .option('--json', 'print one JSON object: {"benches": […]}')
      .action(async ({ limit, json }: { limit: number; json?: true }) => {
        const { withBenchRows } =
          require('../bench/bench-connection') as typeof import('../bench/bench-connection');
        const { readBenchList } = require('../../db/bench-list') as typeof import('../../db/bench-list');
        const { printJson } = require('../bench/print-result') as typeof import('../bench/print-result');
        const { benchListText } =
          require('../bench/bench-list-text') as typeof import('../bench/bench-list-text');
        const { coloursFor, widthOf } = require('../bench/terminal') as typeof import('../bench/terminal');
        const benches = await withBenchRows(({ db }) => readBenchList(db, limit));
        if (json) printJson({ benches });
        else {
          const screen = {
            width: widthOf(process.stdout),
            colours: coloursFor(process.stdout),
            nowMs: Date.now(),
          };
          process.stdout.write(benchListText(benches, screen));
        }
      }),
};

function readLimit(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('a count, an integer from 1');
}
