import { Option } from 'commander';
import { registerBenchFlags } from '../bench/bench-flags';
import type { CliCommand } from '../command';
import type { CommandLine } from '../command-line';
import type { CreateFlags } from '../nightly/nightly-request';

/** The same candidates every night, held against a frozen panel. */
export const nightly: CliCommand = {
  name: 'nightly',
  register: (program) => {
    const group = program
      .command('nightly')
      .description(
        'Every night: has a candidate become worse, or better? Fresh hypotheses against a frozen panel',
      );
    registerCreate(group);
    group
      .command('list')
      .description('List the nightlies, with their next night and last verdicts')
      .option('--json', 'print one JSON object: {"nightlies": […]}')
      .action(async (options: { json?: true }) => {
        const { listNightlies } =
          require('../nightly/show-nightly') as typeof import('../nightly/show-nightly');
        await listNightlies({ isJson: Boolean(options.json) });
      });
    group
      .command('show')
      .description('Show the history of a nightly and its verdicts')
      .argument('<name>')
      .option('--json', 'print one JSON object')
      .option('--check', 'exit 3 when a candidate has regressed, 1 when there is nothing to check')
      .action(async (name: string, options: { json?: true; check?: true }) => {
        const { showNightly } =
          require('../nightly/show-nightly') as typeof import('../nightly/show-nightly');
        await showNightly(name, { isJson: Boolean(options.json), isCheck: Boolean(options.check) });
      });
    registerTrigger(group);
    registerChanges(group);
  },
};

function registerCreate(group: CommandLine): void {
  registerBenchFlags(
    group
      .command('create')
      .description('Create a nightly: a Temporal Schedule, and the bench that it plays')
      .argument('[goal]', 'the research goal; the preset’s when left out')
      .option('--name <name>', 'its name (default: the preset’s)')
      .option('--cron <fields>', 'when its nights begin, as in "0 3 * * *"')
      .option('--time-zone <zone>', 'of the cron fields, as in Europe/Berlin (default: UTC)')
      .option(
        '--bench <id>',
        'a finished bench whose hypotheses are the panel; else the first night plays it',
      )
      .option('--alpha <share>', 'chance of any false alarm, ever (default: 0.05)')
      .addOption(
        new Option('--on-regression <command>', 'a shell command for the worker to run').conflicts('webhook'),
      )
      .option('--webhook <url>', 'a URL to post to; env:NAME takes it from the worker’s environment')
      .option('--no-schedule', 'write it, and leave the Schedule to you')
      .option('--input <file>', 'BenchInput as JSON, or - for stdin; flags beat it')
      .option('--yes', 'create without asking'),
    'cap of a night; has to be given',
  )
    .addHelpText('after', EXAMPLES)
    .checkingToo(async (goal: string | undefined, options: CreateFlags) => {
      const { checkNightly } =
        require('../nightly/create-nightly') as typeof import('../nightly/create-nightly');
      await checkNightly(goal, options);
    })
    .action(async (goal: string | undefined, options: CreateFlags) => {
      const { createNightly } =
        require('../nightly/create-nightly') as typeof import('../nightly/create-nightly');
      await createNightly(goal, options);
    });
}

function registerTrigger(group: CommandLine): void {
  group
    .command('trigger')
    .description('Begin a night now')
    .argument('<name>')
    .option('--wait', 'until it has ended')
    .action(async (name: string, options: { wait?: true }) => {
      const { triggerNightly } =
        require('../nightly/trigger-nightly') as typeof import('../nightly/trigger-nightly');
      await triggerNightly(name, { isWaiting: Boolean(options.wait) });
    });
}

function registerChanges(group: CommandLine): void {
  const load = () => require('../nightly/change-nightly') as typeof import('../nightly/change-nightly');
  group
    .command('pause')
    .description('Begin no more nights; one that runs goes on')
    .argument('<name>')
    .action((name: string) => load().pauseNightly(name, true));
  group
    .command('unpause')
    .description('Begin nights again')
    .argument('<name>')
    .action((name: string) => load().pauseNightly(name, false));
  group
    .command('accept')
    .description('Take what holds now for the normal state: a new baseline, and evidence anew')
    .argument('<name>')
    .option('--bench <id>', 'a finished bench whose hypotheses become the panel (default: the same panel)')
    .action((name: string, options: { bench?: string }) => load().acceptNightly(name, options.bench));
  group
    .command('delete')
    .description('Delete a nightly and its Schedule; the benches of its nights stay')
    .argument('<name>')
    .action((name: string) => load().deleteNightly(name));
}

const EXAMPLES = `
Examples:
  co-scientist nightly create --preset frontier-aml-vs-raw \\
    --cron '0 3 * * *' --budget 20
  co-scientist nightly create --name aml --bench bnc_01J… \\
    --cron '0 3 * * *' --time-zone Europe/Berlin --budget 8 \\
    --webhook env:SLACK_WEBHOOK
  co-scientist nightly show aml --check || echo "exit code $?"

What the verdicts mean: docs/guide/nightly.md`;
