import { type Command, Option } from 'commander';
import type { CliCommand } from '../command';
import type { CommandLine } from '../command-line';

export const goldsets: CliCommand = {
  name: 'goldsets',
  register: (program) => {
    const group = program
      .command('goldsets')
      .description('List the answer keys that recall is scored against')
      .option('--json', 'print one JSON object')
      .action(async (options: { json?: true }) => {
        const { goldSetList, goldSetsText } =
          require('../bench/gold-set-list') as typeof import('../bench/gold-set-list');
        const { printJson } = require('../bench/print-result') as typeof import('../bench/print-result');
        const { coloursFor, widthOf } = require('../bench/terminal') as typeof import('../bench/terminal');
        const all = goldSetList();
        if (options.json) printJson({ goldSets: all });
        else process.stdout.write(goldSetsText(all, widthOf(process.stdout), coloursFor(process.stdout)));
      });
    registerTest(group);
  },
};

interface TestOptions {
  text?: string;
  file?: string;
  json?: true;
}

function registerTest(group: CommandLine): void {
  group
    .command('test')
    .description('Show what a text hits, for people who write their own set')
    .argument('<set>', 'a name from the list, or the path of a JSON file of your own')
    .addOption(new Option('--text <text>', 'the text to search').conflicts('file'))
    .option('--file <file>', 'a file with the text, or - for stdin')
    .option('--json', 'print {"hits":[{"entity","alias","excerpt"}]}')
    .action(async (set: string, _: TestOptions, command: Command) => {
      // `--json` belongs to the list as well, so it may have been taken for the list's.
      const { text, file, json } = command.optsWithGlobals<TestOptions>();
      const { testGoldSet } = require('../bench/gold-set-test') as typeof import('../bench/gold-set-test');
      await testGoldSet(set, { text, file, isJson: Boolean(json) });
    });
}
