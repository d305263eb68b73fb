import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Command, CommanderError } from 'commander';
import { textWidth } from '../../scripts/bench/text-width';
import { CliError } from '../../scripts/cli-error';
import { buildProgram, runCommandLine } from '../../scripts/co-scientist';

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
    [['help', 'benhc'], "unknown command 'benhc'", 'did you mean bench?'],
    [['goldsets', 'tset', 'x'], "unknown command 'tset'", 'did you mean test?'],
  ])('%j is an unknown command, told where it would stand', async (argv, problem, remedy) => {
    expect(await refusalOf(...argv)).toEqual({ problems: [problem], remedy, exitCode: 2 });
  });

  test('a cap that is given twice is refused, whichever was meant; candidates, judges and prices are lists', async () => {
    const bench = ['bench', 'A goal.', '-c', 'a=sim:fir', '-c', 'b=sim:elm', '--judge', 'sim:referee'];
    const prices = ['--price', 'openai:x=1/2', '--price', 'openai:y=1/2', '--judge', 'sim:coin'];
    expect(
      await refusalOf(...bench, ...prices, '--budget', '5', '--n', '3', '--budget', '50', '--budget', '5'),
    ).toEqual({
      problems: ['--budget: given more than once'],
      remedy: 'see `co-scientist bench --help`',
      exitCode: 2,
    });
  });

  test('help is shown where it is asked for, whatever else the line holds', async () => {
    const program = buildProgram().configureOutput({ writeOut: () => undefined });
    for (const command of program.commands) command.configureOutput({ writeOut: () => undefined });
    const asking = program.parseAsync(['power', '--gap', 'x', '--help'], { from: 'user' });
    await expect(asking).rejects.toMatchObject({ code: 'commander.helpDisplayed', exitCode: 0 });
  });
});

describe('what a command can see of its files and values before it starts anything is told at once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'command-line-'));
  const file = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const NONE = join(folder, 'none');
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each<[string[], (string | RegExp)[]]>([
    [
      ['rate', NONE, '--method', 'x', '--k', '-1', '--start', 'y', '--foo'],
      [
        "unknown option '--foo'",
        /^--method: "x"/,
        /^--k: "-1"/,
        /^--start: "y"/,
        /none cannot be read: no such file/,
      ],
    ],
    [
      ['rate', NONE, '--method', 'x'],
      [/^--method: "x"/, /none cannot be read: no such file/],
    ],
    [
      ['agree', NONE, '--key', `${NONE}.key`],
      [/^the table: .*none cannot be read/, /^--key: .*none\.key cannot be read/],
    ],
    [
      ['verify', NONE, '--foo'],
      ["unknown option '--foo'", /none is no folder/],
    ],
    [
      ['import', NONE, '--foo'],
      ["unknown option '--foo'", /none is no folder/],
    ],
    [
      ['goldsets', 'test', 'nope', '--file', NONE],
      [/^there is no gold set "nope"/, /^--file: .*none cannot be read/],
    ],
    [
      ['goldsets', 'test', 'nope'],
      [/^there is no gold set "nope"/, 'no text to search'],
    ],
    [
      ['eval', 'agentx', '--from', NONE, '--min-compliance', '2', '--foo'],
      ["unknown option '--foo'", /^agent "agentx"/, /^--min-compliance/, /none is no folder/],
    ],
    [
      ['bench', '--preset', 'demo', '--max-usd', 'abc', '--n', 'x', '--nn', '3'],
      [/^--max-usd: "abc" is not a sum of dollars/, /^unknown option '--nn'/, /^--n: "x"/],
    ],
    [
      ['bench', '--input', NONE, '--n', 'x', '--seed', 'y'],
      [/^--n: "x"/, /^--seed: "y"/, /^--input: .*none cannot be read/],
    ],
    [
      [
        ...[
          'nightly',
          'create',
          '--alpha',
          '7',
          '--cron',
          'x',
          '--name',
          'A B',
          '--time-zone',
          'Mars',
          '--foo',
        ],
        ...['--preset', 'demo', '--n', 'x'],
      ],
      [
        "unknown option '--foo'",
        /^--n: "x"/,
        '--budget',
        /^--name: "A B"/,
        /^--alpha: 7/,
        /^--time-zone/,
        /^--cron: "x"/,
      ],
    ],
    [
      ['nightly', 'create', '--bench', 'bnc_1', '--alpha', '7', '--no-schedule', '--n', 'x'],
      [/^--alpha: 7/, /^--n: "x"/],
    ],
    [
      ['scipivot', 'audit', '--questions', NONE, '--aggregates', `${NONE}2`, '--output', `${NONE}3`],
      [/^questions: cannot read .*none /, /^aggregates: cannot read .*none2 /],
    ],
    [
      ['scipivot', 'score', '--references', NONE, '--predictions', `${NONE}2`, '--output', `${NONE}3`],
      [/^references: cannot read .*none /, /^predictions: .*none2 cannot be read/],
    ],
    [
      [
        'scipivot',
        'load',
        '--name',
        'A B',
        '--public-dir',
        NONE,
        '--grader-dir',
        `${NONE}2`,
        '--receipt',
        `${NONE}3`,
      ],
      [/^--name: "A B"/, /^--public-dir/, /^--grader-dir/, /^--receipt: .*none3 cannot be read/],
    ],
    [
      ['literature', 'foo', '--max-results', '11', '--literature', 'y'],
      [
        '--max-results: "11" is not a whole number from 1 to 10',
        '--literature: "y" is not one of live, bundled',
        'no literature source foo',
        'foo: nothing to ask for',
      ],
    ],
    [
      ['literature', 'pubmed', '--offset', '5'],
      ['pubmed: nothing to ask for', '--offset: means something for page only'],
    ],
    [
      ['list', '--limit', '0', '--foo'],
      ['--limit: "0" is not a count, an integer from 1', "unknown option '--foo'"],
    ],
    [
      ['reprice', '--table', 'x'],
      ["missing required argument 'bench'", /^no price table x/],
    ],
    [
      ['rescore', '--goldset', 'nope'],
      ["missing required argument 'bench'", /^there is no gold set "nope"/],
    ],
    [
      ['export', '--blind', '0', '--csv'],
      ['--blind: "0" is not a number of matches, 1 to 9999', /^option '--blind <n>' cannot be used with/],
    ],
    [
      ['show', '--match', 'x', '--hypothesis', '3'],
      [
        /^--match: "x" is not a whole number from 0/,
        /cannot be used with/,
        "missing required argument 'bench'",
      ],
    ],
    [
      ['raise-budget', 'bnc_1', 'judge', '-1', '--foo'],
      ["unknown option '--foo'", /^<usd>: "-1" is not a cap in dollars/],
    ],
  ])('%j', async (argv, expected) => {
    const { problems, exitCode } = await refusalOf(...argv);
    expect(exitCode).toBe(2);
    for (const one of expected) {
      expect(problems).toContainEqual(
        typeof one === 'string' ? expect.stringContaining(one) : expect.stringMatching(one),
      );
    }
    expect(problems).toHaveLength(expected.length);
  });

  test('a run on a data set names its candidates, seed and budget at once, and points to its own help', async () => {
    const line = ['scipivot', 'run', '--data', 'x', '-c', 'a', '--seed', 'y', '--budget', 'z'];
    const { problems, remedy, exitCode } = await refusalOf(...line);
    expect([exitCode, problems.length, remedy]).toEqual([
      2,
      3,
      'mend these; see `co-scientist scipivot run --help`',
    ]);
  });

  test('a worker without a database is told of the queues that do not exist too', async () => {
    const { DATABASE_URL } = process.env;
    delete process.env.DATABASE_URL;
    const both = await refusalOf('worker', '--queues', 'rows,foo,provider.opnai');
    if (DATABASE_URL !== undefined) process.env.DATABASE_URL = DATABASE_URL;
    expect(both.problems).toEqual([
      'the worker cannot begin: DATABASE_URL is not set',
      expect.stringContaining('no queue "foo"'),
      expect.stringContaining('did you mean provider.openai?'),
    ]);
    expect(both.exitCode).toBe(1);
  });

  test('a sample to be judged blind is of one bench: nothing is said of tables of all', async () => {
    const { problems, remedy } = await refusalOf('export', '--blind', '5');
    expect([problems, remedy]).toEqual([['no bench named'], 'name one (co-scientist list)']);
  });

  test('a place that is no place is told in words, with what to do, and no stack', async () => {
    const place = join(file('a-file', ''), 'in-it', 'report.xml');
    const said: string[] = [];
    const write = jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
      said.push(String(text));
      return true;
    });
    const out = jest.spyOn(process.stdout, 'write').mockImplementation(() => true);
    const exitCode = await runCommandLine(['eval', 'ranking', '--junit', place]);
    write.mockRestore();
    out.mockRestore();
    expect(exitCode).toBe(1);
    expect(said.join('')).toMatch(/error: .*a-file.* cannot be used: a .*\n {2}fix: name another place/);
  });
});

test('no help of any command is wider than the 80 columns of a terminal', () => {
  const helpOf = (command: Command): string[] => {
    const written: string[] = [];
    command
      .configureOutput({ writeOut: (text) => written.push(text), getOutHelpWidth: () => 80 })
      .outputHelp();
    return [...written.join('').split('\n'), ...command.commands.flatMap(helpOf)];
  };
  const lines = helpOf(buildProgram());
  expect(lines.length).toBeGreaterThan(500);
  expect(lines.filter((line) => textWidth(line) > 80)).toEqual([]);
});
