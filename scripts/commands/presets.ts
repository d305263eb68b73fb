import type { CliCommand } from '../command';

export const presets: CliCommand = {
  name: 'presets',
  register: (program) =>
    program
      .command('presets')
      .description('List the benches to begin from')
      .option('--json', 'print one JSON object: {"presets": […]}')
      .action(async (options: { json?: true }) => {
        const { presetList, presetsText } =
          require('../bench/preset-list') as typeof import('../bench/preset-list');
        const { printJson } = require('../bench/print-result') as typeof import('../bench/print-result');
        const { coloursFor, widthOf } = require('../bench/terminal') as typeof import('../bench/terminal');
        const all = presetList();
        if (options.json) printJson({ presets: all });
        else process.stdout.write(presetsText(all, widthOf(process.stdout), coloursFor(process.stdout)));
      }),
};
