import { CommanderError } from 'commander';
import { version } from '../package.json';
import { coloursFor } from './bench/terminal';
import { CliError } from './cli-error';
import { CommandLine } from './command-line';
import { COMMANDS } from './commands';
import { postgresRefusal } from './postgres-refusal';

/**
 * Runs one command line.
 * @param argv what stands after `co-scientist`
 * @returns the exit code: 0, 1 for a run that failed, 2 for a usage error, 3 for a regression that was looked for
 */
export async function runCommandLine(argv: string[]): Promise<number> {
  try {
    await buildProgram().parseAsync(argv, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return explainUsage(error);
    process.stderr.write(explain(error, argv.includes('--debug')));
    return error instanceof CliError ? error.exitCode : 1;
  }
}

/** All commands, ready to read one line. Exported for tests, which need no process of their own. */
export function buildProgram(): CommandLine {
  const program = new CommandLine('co-scientist')
    .description(
      'A bench for research ideas: N models, one goal, judged pairwise, every paid call in a ledger.',
    )
    .version(version)
    .option('--debug', 'show the stack of an error')
    .exitOverride()
    // The list of commands leaves 39 columns of 80 to what they do: commander's own least is 40.
    .configureHelp({ minWidthToWrap: 24 })
    // Its errors are printed here, by the rule of all others.
    .configureOutput({ outputError: () => undefined });
  for (const command of COMMANDS) command.register(program);
  return program;
}

/** Commander's own refusals: unknown commands and options, missing arguments; and help, which is none. */
function explainUsage(error: CommanderError): number {
  if (error.exitCode === 0) return 0;
  if (error.code === 'commander.help') return 2; // called without a command: the help is on stderr already
  const [reason = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
  const meant = /Did you mean (.*)\?/.exec(suggestion ?? '')?.[1];
  const remedy = meant ? `did you mean ${meant}?` : 'see `co-scientist --help`, or --help after a command';
  process.stderr.write(causeAndRemedy(reason, remedy));
  return 2;
}

function explain(error: unknown, isDebugging: boolean): string {
  const told = error instanceof CliError ? error.details : postgresRefusal(error);
  const lines = told
    ? causeAndRemedy(told.reason, told.remedy, told.problems)
    : (explainFile(error) ??
      causeAndRemedy(messageOf(error), 'run it again with --debug to see where this comes from'));
  return isDebugging ? `${lines}${stackOf(error)}\n` : lines;
}

/** What keeps a place from being read or written, in words. */
const OF_PLACES: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EEXIST: 'a file stands there where a folder has to be',
  EISDIR: 'it is a folder',
  ENOENT: 'there is no such file or folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of it is a file, no folder',
  EPERM: 'permission denied',
  EROFS: 'it lies on a disk that cannot be written',
};

/** A place that the user, or the environment, has named; null: it is not about one. */
function explainFile(error: unknown): string | null {
  // A file is written under another name and renamed: the place is then the new name.
  const { code = '', path, dest = path } = Object(error) as NodeJS.ErrnoException & { dest?: string };
  const why = OF_PLACES[code];
  if (why === undefined || dest === undefined) return null;
  return causeAndRemedy(
    `${dest} cannot be used: ${why}`,
    'name another place (--to, --output, CO_SCIENTIST_HOME), or make room or leave for this one; --debug shows where it fails',
  );
}

function causeAndRemedy(reason: string, remedy: string, problems: readonly string[] = []): string {
  const oneLine = (text: string) => text.trim().replace(/\s*\n\s*/g, '; ');
  const list = problems.map((problem) => `  - ${oneLine(problem)}\n`).join('');
  const { dim, red } = coloursFor(process.stderr);
  return `${red('error:')} ${oneLine(reason)}\n${list}${dim('  fix:')} ${oneLine(remedy)}\n`;
}

function messageOf(error: unknown): string {
  // Node's AggregateError (a refused connection to localhost) has an empty message.
  if (error instanceof AggregateError && !error.message) return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message || error.name : String(error);
}

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const below = error.cause === undefined ? '' : `\ncaused by: ${stackOf(error.cause)}`;
  return `${error.stack ?? error.message}${below}`;
}
