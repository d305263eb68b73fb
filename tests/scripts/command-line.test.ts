import { CommanderError } from 'commander';
import { CliError } from '../../scripts/cli-error';
import { buildProgram } from '../../scripts/co-scientist';

/** What a line is refused with, in this process: its reason and problems, its way out, and its exit code. */
async function refusalOf(
  ...argv: string[]
): Promise<{ problems: string[]; remedy: string; exitCode: number }> {
  try {
    await buildProgram().parseAsync(argv, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) throw new Error(`commander's own: ${error.message}`);
    if (!(error instanceof CliError)) throw error;
    const { reason, problems = [reason], remedy } = error.details;
    return { problems: [...problems], remedy, exitCode: error.exitCode };
  }
  throw new Error('it was not refused');
}

const NOTHING_STARTED = { CO_SCIENTIST_HOME: '/nowhere', DATABASE_URL: 'postgres://127.0.0.1:1/none' };
beforeAll(() => void Object.assign(process.env, NOTHING_STARTED));

describe('power', () => {
  const EXAMPLE = 'for example: co-scientist power --gap 100 --candidates 4';

  test('without its options names both, and shows a line that is right', async () => {
    expect(await refusalOf('power')).toEqual({
      problems: [
        "required option '--gap <elo>' not specified",
        "required option '--candidates <count>' not specified",
      ],
      remedy: EXAMPLE,
      exitCode: 2,
    });
  });

  test('names all 5 things that are wrong with a line: two values, a conflict, an unknown option, an unknown preset', async () => {
    const line = ['--gap', 'x', '--candidates', '61', '--foo', '3', '--preset', 'demp', '--from', 'bnc_1'];
    const { problems, remedy, exitCode } = await refusalOf('power', ...line);
    expect([exitCode, remedy, problems.length]).toEqual([2, EXAMPLE, 5]);
    expect(problems[0]).toBe('--gap: "x" is not a number of Elo points above 0 and up to 1500');
    expect(problems[1]).toBe('--candidates: "61" is not an integer from 2 to 60');
    expect(problems[2]).toContain("option '--preset <name>' cannot be used with option '--from <bench>'");
    expect(problems[3]).toContain("unknown option '--foo'");
    expect(problems[4]).toContain('did you mean demo?');
  });

  test.each([['0'], ['-5'], ['1501'], ['1e9'], [''], ['  '], ['NaN'], ['Infinity']])(
    'a gap of %p is refused',
    async (gap) => {
      const { problems } = await refusalOf('power', '--gap', gap, '--candidates', '4');
      expect(problems).toEqual([
        `--gap: ${JSON.stringify(gap)} is not a number of Elo points above 0 and up to 1500`,
      ]);
    },
  );

  test('an option without its value is named once, beside what is missing', async () => {
    expect((await refusalOf('power', '--candidates', '4', '--gap')).problems).toEqual([
      "option '--gap <elo>' argument missing",
    ]);
  });
});

describe('any command', () => {
  test('names every unknown option, each with the one meant, and the arguments that are missing', async () => {
    const { problems, exitCode } = await refusalOf('show', '--methodz', '--jsn');
    expect(problems).toEqual([
      "unknown option '--methodz'; did you mean --methods?",
      "unknown option '--jsn'; did you mean --json?",
      "missing required argument 'bench'",
    ]);
    expect(exitCode).toBe(2);
  });

  test('a single fault stays two lines: what is wrong, and what was meant or where help is', async () => {
    expect(await refusalOf('bench', '--preset', 'demo', '--judgee', 'x')).toMatchObject({
      problems: ["unknown option '--judgee'"],
      remedy: 'did you mean --judge?',
    });
    expect((await refusalOf('show')).remedy).toBe('see `co-scientist show --help`');
  });

  test('what follows an unknown option may be its value: no argument is called one too many', async () => {
    expect((await refusalOf('show', 'bnc_1', '--foo', 'bar')).problems).toEqual(["unknown option '--foo'"]);
    expect((await refusalOf('show', 'bnc_1', 'bar')).problems[0]).toContain('too many arguments');
  });

  test.each([
    [['dwon'], "unknown command 'dwon'", 'did you mean down?'],
    [['nightly', 'shwo'], "unknown command 'shwo'", 'did you mean show?'],
    [['scipivot', 'nonsense'], "unknown command 'nonsense'", 'see `co-scientist scipivot --help`'],
    [['goldsets', 'tset', 'x'], "unknown command 'tset'", 'did you mean test?'],
  ])('%j is an unknown command, told where it would stand', async (argv, problem, remedy) => {
    expect(await refusalOf(...argv)).toEqual({ problems: [problem], remedy, exitCode: 2 });
  });

  test('help is shown where it is asked for, whatever else the line holds', async () => {
    const program = buildProgram().configureOutput({ writeOut: () => undefined });
    for (const command of program.commands) command.configureOutput({ writeOut: () => undefined });
    const asking = program.parseAsync(['power', '--gap', 'x', '--help'], { from: 'user' });
    await expect(asking).rejects.toMatchObject({ code: 'commander.helpDisplayed', exitCode: 0 });
  });
});
