import { InvalidArgumentError, Option } from 'commander';
import type { CliCommand } from '../command';
import type { PowerOptions } from '../rating/show-power';

export const power: CliCommand = {
  name: 'power',
  register: (program) =>
    program
      .command('power')
      .description('How many hypotheses, matches and dollars it takes to see a gap; starts nothing')
      .requiredOption('--gap <elo>', 'the gap between two candidates that is to be seen', readGap)
      .requiredOption('--candidates <count>', 'candidates of the bench', readCandidates)
      .option('--from <bench>', 'take spread, noise and costs from a bench')
      .addOption(
        new Option('--preset <name>', 'take prices from its models (default: paper-aml-vs-raw)').conflicts(
          'from',
        ),
      )
      .option('--json', 'print one JSON object')
      .mendedBy('for example: co-scientist power --gap 100 --candidates 4')
      .checkingToo(({ preset }: PowerOptions) => {
        if (preset !== undefined) load().assumptionsOfPreset(preset);
      })
      .action((options: PowerOptions) => load().showPower(options)),
};

function load(): typeof import('../rating/show-power') {
  return require('../rating/show-power') as typeof import('../rating/show-power');
}

function readGap(text: string): number {
  const gapElo = Number(text);
  if (text.trim() !== '' && gapElo > 0 && gapElo <= 1500) return gapElo;
  throw new InvalidArgumentError('a number of Elo points above 0 and up to 1500');
}

function readCandidates(text: string): number {
  const { MAX_CANDIDATES } =
    require('../../core/planned-models') as typeof import('../../core/planned-models');
  if (/^\d+$/.test(text) && Number(text) >= 2 && Number(text) <= MAX_CANDIDATES) return Number(text);
  throw new InvalidArgumentError(`an integer from 2 to ${MAX_CANDIDATES}`);
}
