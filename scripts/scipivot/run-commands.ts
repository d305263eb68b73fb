import { Option } from 'commander';
import { countText } from '../../core/report/figure-text';
import type { BenchFlags } from '../bench/bench-flags';
import type { CommandLine } from '../command-line';
import type { DataSetOptions } from './data-set-files';
import { refusalsTold } from './refusals-told';

/** The commands that need Postgres: those that bring a data set in, and those that run models on it. */
export function registerRunCommands(group: CommandLine): void {
  registerLoad(group);
  registerSets(group);
  registerRun(group);
  registerResults(group);
  registerDemo(group);
}

function registerLoad(group: CommandLine): void {
  group
    .command('load')
    .description('Bring an exported data set into the database, its references for the grader’s role alone')
    .requiredOption('--public-dir <directory>', 'the export’s public directory')
    .requiredOption('--grader-dir <directory>', 'the export’s grader directory')
    .requiredOption('--name <name>', 'what it is to be called: a–z 0–9 . _ -')
    .option('--receipt <file>', 'the export’s receipt: the directories must be those it binds')
    .action(async (options: DataSetOptions) => {
      const { loadFromFiles } = require('./load-data-set') as typeof import('./load-data-set');
      const { name, nCases, isPinned, isNew } = await refusalsTold(loadFromFiles(options));
      const pin = isPinned ? 'pinned, as its references state' : 'unpinned';
      process.stdout.write(
        `${name}: ${countText(nCases, 'case')}, ${pin}${isNew ? '' : '; it stood there already, with the same content'}\n`,
      );
    });
}

function registerSets(group: CommandLine): void {
  group
    .command('sets')
    .description('List the data sets that are loaded')
    .action(async () => {
      const { withBenchRows } =
        require('../bench/bench-connection') as typeof import('../bench/bench-connection');
      const { readDataSets } = require('../../db/scipivot-sets') as typeof import('../../db/scipivot-sets');
      await withBenchRows(async ({ db }) => {
        const sets = await readDataSets(db);
        if (sets.length === 0)
          process.stdout.write('none is loaded; see co-scientist scipivot load --help\n');
        for (const { name, nCases, isPinned, promptsSha256 } of sets) {
          const pin = isPinned ? 'pinned' : 'unpinned';
          process.stdout.write(
            `${name}  ${countText(nCases, 'case')}  ${pin}  prompts ${promptsSha256.slice(0, 16)}…\n`,
          );
        }
      });
    });
}

export interface RunFlags extends BenchFlags {
  data: string;
  outputDir?: string;
  json?: true;
  detach?: true;
}

function registerRun(group: CommandLine): void {
  const many = (value: string, before: string[] = []) => [...before, value];
  group
    .command('run')
    .description('Ask candidates every case in both orders, a fresh call each, and have them graded')
    .requiredOption('--data <name>', 'a loaded data set (list them: co-scientist scipivot sets)')
    .option('-c, --candidate <spec>', 'label=provider:model; repeat it', many)
    .option('--judge <model>', 'provider:model, asked as a judge is; repeat it', many)
    .option('--output-dir <directory>', 'where the files go (default: runs/scipivot/<bench>)')
    .option('--budget-per-candidate <usd>', 'cap of each candidate in USD (default: 3)')
    .option('--judge-budget <usd>', 'cap of the judges in USD (default: 5)')
    .option('--budget <usd>', 'cap of the whole run in USD, or none (default: none)')
    .option('--price <price>', 'provider:model=in/out, USD per million tokens; repeat it', many)
    .option('--thinking <tokens>', 'off, or a thinking budget in tokens')
    .option('--max-in-flight <count>', 'sessions held side by side (default: 50)')
    .option('--seed <integer>', 'what simulated models draw from (default: 20261004)')
    .addOption(new Option('--probe').hideHelp()) // before its negation: else it would be given by default
    .option('--no-probe', 'skip the call of a cent at most that checks each model first')
    .addOption(new Option('--json', 'print one JSON object, the BenchSummary').conflicts('detach'))
    .option('--detach', 'start it, print its id and return; its files: co-scientist scipivot results <bench>')
    .checkingToo(async (flags: RunFlags) => {
      const { checkRun } = require('./run-on-data-set') as typeof import('./run-on-data-set');
      // One that is missing has been told: the rest is looked at as if it were there.
      await checkRun({ ...flags, data: flags.data ?? 'unnamed' });
    })
    .action(async (flags: RunFlags) => {
      const { runOnDataSet } = require('./run-on-data-set') as typeof import('./run-on-data-set');
      await runOnDataSet(flags);
    });
}

function registerResults(group: CommandLine): void {
  group
    .command('results')
    .description('Write the files of a run, or of a bench with a data set, as they stand now')
    .argument('<bench>', 'its id, or as much of its beginning as tells it apart')
    .option('--output-dir <directory>', 'where the files go (default: runs/scipivot/<bench>)')
    .action(async (text: string, options: { outputDir?: string }) => {
      const { writeResults } = require('./run-on-data-set') as typeof import('./run-on-data-set');
      await writeResults(text, options.outputDir);
    });
}

function registerDemo(group: CommandLine): void {
  group
    .command('demo')
    .description('Ask four simulated models of known accuracy our fixture, and kill the worker halfway')
    .action(async () => {
      const { runScipivotDemo } = require('./run-demo') as typeof import('./run-demo');
      await runScipivotDemo();
    });
}
