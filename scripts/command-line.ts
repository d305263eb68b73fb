import {
  type Argument,
  Command,
  CommanderError,
  type HelpContext,
  type Option,
  type ParseOptionsResult,
} from 'commander';
import { UsageError } from './cli-error';

/** Of commander's refusals, those after which the rest of the line can still be looked at. */
const COLLECTED = new Set([
  'commander.conflictingOption',
  'commander.excessArguments',
  'commander.missingArgument',
  'commander.missingMandatoryOptionValue',
  'commander.optionMissingArgument',
  'commander.unknownOption',
]);

type Action = Parameters<Command['action']>[0];
type Check = (...given: never[]) => unknown;

/**
 * A command that tells everything wrong with its line at once, where commander stops at the first: unknown and missing
 * options, options given twice, arguments too many or too few, and every value that an argument's or option's parser
 * refuses. Such a parser throws InvalidArgumentError with what the value would have to be: `a number above 0`.
 */
export class CommandLine extends Command {
  private readonly problems: string[] = [];
  private readonly given = new Set<string>();
  /** Options that were named without their value. */
  private readonly valueless: string[] = [];
  private unknown: string[] = [];
  private hasAction = false;
  private alsoCheck: Check | null = null;
  private wayOut: string | null = null;

  override createCommand(name?: string): CommandLine {
    return new CommandLine(name);
  }

  override addOption(option: Option): this {
    if (option.parseArg) option.parseArg = this.told(option.long ?? option.flags, option.parseArg);
    super.addOption(option);
    if (option.required) this.on(`option:${option.name()}`, () => this.noteGiven(option));
    return this;
  }

  override addArgument(argument: Argument): this {
    if (argument.parseArg) argument.parseArg = this.told(`<${argument.name()}>`, argument.parseArg);
    return super.addArgument(argument);
  }

  /**
   * What else can be wrong with its values, for a line that is refused already; it throws a UsageError.
   * Where nothing is wrong it is not run: the action finds the same.
   */
  checkingToo(check: Check): this {
    this.alsoCheck = check;
    return this;
  }

  /** What to do about a line that is refused: an example, say. Left out: the command's help. */
  mendedBy(wayOut: string): this {
    this.wayOut = wayOut;
    return this;
  }

  override action(run: Action): this {
    this.hasAction = true;
    return super.action(async (...given: unknown[]) => {
      await this.refuse(given);
      await run.apply(this, given);
    });
  }

  /** `help nope` names a command that is none: commander shows its own help, and not why. */
  override help(context?: HelpContext | ((text: string) => string)): never {
    const [word, name] = this.args;
    if (word === 'help' && name !== undefined && !this.commands.some((command) => command.name() === name)) {
      const names = this.commands.map((command) => command.name());
      const [reason = '', close] = `unknown command '${name}'${meant(name, names)}`.split('; did you mean ');
      throw new UsageError({
        reason,
        remedy: close ? `did you mean ${close}` : `see \`${pathOf(this)} --help\``,
      });
    }
    return super.help(context as HelpContext);
  }

  override parseOptions(argv: string[]): ParseOptionsResult {
    const result = super.parseOptions(argv);
    this.unknown = flagsOf(result.unknown);
    return result;
  }

  override error(message: string, options?: { exitCode?: number; code?: string }): never {
    const code = options?.code ?? '';
    if (code === 'commander.unknownCommand') throw this.unknownCommandError(message);
    if (!this.hasAction || !COLLECTED.has(code)) return super.error(message, options);
    if (code === 'commander.unknownOption') {
      this.problems.push(...this.unknown.map((flag) => this.unknownFlag(flag)));
      // They stand among the arguments, and would be counted as such.
      this.args = this.args.filter((text) => !this.unknown.includes(flagOf(text)));
    } else if (code === 'commander.excessArguments') {
      // What follows an unknown option may be its value, and no argument too many.
      if (this.unknown.length === 0) this.problems.push(this.excess(message));
    } else this.problems.push(sentenceOf(message));
    if (code === 'commander.optionMissingArgument') this.noteValueless(message);
    return undefined as never; // commander goes on to the next check
  }

  /** @throws UsageError that lists all */
  private async refuse(given: unknown[]): Promise<void> {
    if (this.problems.length === 0) return;
    for (const { long, attributeName } of this.options.map(namesOf)) {
      if (this.valueless.includes(long)) this.setOptionValue(attributeName, undefined);
    }
    const problems = [...this.problems, ...(await this.otherProblems(given))];
    const remedy = this.wayOut ?? `see \`${pathOf(this)} --help\``;
    if (problems.length === 1) {
      const [reason = '', close] = problems[0]!.split('; did you mean ');
      throw new UsageError({ reason, remedy: close ? `did you mean ${close}` : remedy });
    }
    throw new UsageError({
      reason: `${problems.length} things are wrong with this command line; nothing was started`,
      problems,
      remedy,
    });
  }

  private async otherProblems(given: unknown[]): Promise<readonly string[]> {
    try {
      await this.alsoCheck?.(...(given as never[]));
      return [];
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return error.details.problems ?? [error.details.reason];
    }
  }

  /** One that takes one value, and is given two, has been meant to be one of them: nobody can tell which. */
  private noteGiven(option: Option): void {
    const name = option.long ?? option.flags;
    const isList = Array.isArray(this.getOptionValue(option.attributeName()));
    const problem = `${name}: given more than once`;
    if (this.given.has(name) && !isList && !this.problems.includes(problem)) this.problems.push(problem);
    this.given.add(name);
  }

  private told<T>(name: string, parse: (value: string, previous: T) => T): (value: string, previous: T) => T {
    return (value, previous) => {
      // Its value is missing, which has been told.
      if (value === undefined) return previous;
      try {
        return parse(value, previous);
      } catch (error) {
        if (!(error instanceof CommanderError)) throw error;
        this.problems.push(`${name}: ${JSON.stringify(value)} is not ${ruleOf(error.message)}`);
        return previous;
      }
    };
  }

  private unknownFlag(flag: string): string {
    return `unknown option '${flag}'${meant(flag, this.knownFlags())}`;
  }

  private unknownCommandError(message: string): UsageError {
    const [reason = '', suggestion = ''] = sentenceOf(message).split('\n');
    const close = /Did you mean (.*)\?/.exec(suggestion)?.[1];
    return new UsageError({
      reason,
      remedy: close ? `did you mean ${close}?` : `see \`${pathOf(this)} --help\``,
    });
  }

  private excess(message: string): string {
    const names = this.commands.map((command) => command.name());
    if (names.length === 0) return sentenceOf(message);
    const [name = ''] = this.args;
    return `unknown command '${name}'${meant(name, names)}`;
  }

  private knownFlags(): string[] {
    const above = this.parent instanceof CommandLine ? this.parent.knownFlags() : [];
    const own = this.createHelp().visibleOptions(this);
    return [...own.flatMap(({ long }) => long ?? []), ...above];
  }

  private noteValueless(message: string): void {
    const long = /--[\w-]+/.exec(message)?.[0];
    if (long) this.valueless.push(long);
  }
}

function sentenceOf(message: string): string {
  return message.replace(/^error: /, '').replace(/\.$/, '');
}

function meant(word: string, known: readonly string[]): string {
  const { suggest } = require('../presets/suggest') as typeof import('../presets/suggest');
  const close = suggest(word, known);
  return close ? `; did you mean ${close}?` : '';
}

/** What a parser says of a value: what it would have to be. */
function ruleOf(message: string): string {
  return message.replace(/^Allowed choices are /, 'one of ').replace(/\.$/, '');
}

function namesOf(option: Option): { long: string; attributeName: string } {
  return { long: option.long ?? '', attributeName: option.attributeName() };
}

/** `co-scientist nightly create` */
function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

/** Of what commander could not place, the flags; a negative number is none. */
function flagsOf(unknown: readonly string[]): string[] {
  const end = unknown.indexOf('--');
  const before = end < 0 ? unknown : unknown.slice(0, end);
  return [...new Set(before.filter((text) => /^-{1,2}[A-Za-z]/.test(text)).map(flagOf))];
}

function flagOf(text: string): string {
  return text.split('=', 1)[0] ?? text;
}
