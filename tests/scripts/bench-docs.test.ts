import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { BENCH_INPUT_FIELDS } from '../../activities/bench-input-schema';
import { planInput } from '../../activities/plan-input';
import { CALL_FAILURES } from '../../core/completion';
import { forecastBench } from '../../core/forecast';
import { registerBenchFlags } from '../../scripts/bench/bench-flags';
import { buildProgram } from '../../scripts/co-scientist';
import { COMMANDS } from '../../scripts/commands';

function guide(name: string): string {
  return readFileSync(join(__dirname, '../../docs/guide', name), 'utf8');
}

test('the guide to BenchInput names every field, and every flag that the help shows', () => {
  const text = guide('bench-input.md');
  const generation = ['maxTurns', 'maxToolCalls', 'maxOutputTokens'];
  const fields = [...BENCH_INPUT_FIELDS, ...generation.map((field) => `generation.${field}`)];
  expect(fields.filter((field) => field !== 'generation' && !text.includes(`\`${field}\``))).toEqual([]);
  const flags = registerBenchFlags(new Command()).options.filter((option) => !option.hidden);
  expect(
    flags.filter((flag) => !text.includes(flag.short ?? flag.long ?? '')).map((flag) => flag.long),
  ).toEqual([]);
});

test('the guide’s example of a BenchInput is one that can be planned', () => {
  const example = /```json\n([\s\S]+?)```/.exec(guide('bench-input.md'))?.[1] ?? '';
  expect(planInput(JSON.parse(example))).toHaveProperty('plan');
});

test('the guide to the command line names every command but those with a page of their own', () => {
  const text = guide('cli.md');
  const own = ['scipivot', 'literature'];
  const missing = COMMANDS.filter(
    ({ name }) => !own.includes(name) && !new RegExp(`\\b${name}\\b`).test(text),
  );
  expect(missing.map(({ name }) => name)).toEqual([]);
});

const SHARED_PAGES: Readonly<Record<string, readonly string[]>> = {
  bench: ['cli.md', 'bench-input.md'],
  'nightly create': ['nightly.md', 'bench-input.md', 'cli.md'],
  'scipivot run': ['scipivot.md'],
};

/** Every command that does something, by its words. */
function leaves(command: Command, words: readonly string[] = []): [string, Command][] {
  const below = command.commands.flatMap((one) => leaves(one, [...words, one.name()]));
  return command.commands.length > 0 && command.name() !== 'goldsets'
    ? below
    : [[words.join(' '), command], ...below];
}

test('the guides name every flag that --help shows, of every command', () => {
  const missing = leaves(buildProgram()).flatMap(([words, command]) => {
    const pages = SHARED_PAGES[words] ?? ['cli.md', 'scipivot.md', 'literature.md', 'eval.md'];
    const text = pages.map(guide).join('\n');
    const flags = command.options
      .filter(({ hidden }) => !hidden)
      .map(({ short, long }) => short ?? long ?? '');
    return flags
      .filter((flag) => !new RegExp(`${flag}(?![\\w-])`).test(text))
      .map((flag) => `${words} ${flag}`);
  });
  expect(missing).toEqual([]);
});

const PAGES = [
  '../../README.md',
  ...readdirSync(join(__dirname, '../../docs/guide')).map((name) => `../../docs/guide/${name}`),
];

/** Lines of the pages' shell blocks that call us, continued lines put together; what follows a pipe or > is the shell's. */
function shownCommands(): string[] {
  const texts = PAGES.filter((page) => page.endsWith('.md')).map((page) =>
    readFileSync(join(__dirname, page), 'utf8'),
  );
  const blocks = texts.flatMap((text) =>
    [...text.matchAll(/```sh\n([\s\S]+?)```/g)].map((found) => found[1] ?? ''),
  );
  const lines = blocks.flatMap((block) => block.replaceAll('\\\n', ' ').split('\n'));
  return lines.flatMap(
    (line) => /(?:npx co-scientist|run --rm worker) ((?:<[\w-]+>|[^#|>)])*)/.exec(line)?.[1]?.trim() ?? [],
  );
}

/** As a shell would part them: quotes hold together. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    (found) => found[1] ?? found[2] ?? found[3] ?? '',
  );
}

test.each(shownCommands().filter((line) => !line.includes('…')))(
  'the command line understands what a page shows: co-scientist %s',
  async (line) => {
    const program = buildProgram();
    for (const [, command] of leaves(program)) command.action(() => undefined);
    await expect(program.parseAsync(wordsOf(line), { from: 'user' })).resolves.toBeDefined();
  },
);

test('the page of words has every state, and every kind in which a call or an answer fails', () => {
  const source = (file: string) => readFileSync(join(__dirname, '../../core', file), 'utf8');
  const quoted = (text: string) => [...text.matchAll(/'([a-z_]+)'/g)].map((found) => found[1] ?? '');
  const states = quoted(source('bench-states.ts').replace(/export type CallKind.*/s, ''));
  const answers = quoted(/type InvalidAnswer =([^;]+);/.exec(source('completion.ts'))?.[1] ?? '');
  expect(answers).toHaveLength(8);
  const words = [...states, ...answers, ...Object.keys(CALL_FAILURES), 'no_hypothesis', 'attempts_exhausted'];
  expect(words.filter((word) => !guide('words.md').includes(`\`${word}\``))).toEqual([]);
});

test('every link of the guides leads to a file and a heading that are there', () => {
  const headings = (file: string) =>
    [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map((found) =>
      (found[1] ?? '')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    );
  const dead = PAGES.filter((page) => page.endsWith('.md')).flatMap((page) => {
    const file = join(__dirname, page);
    const links = [...readFileSync(file, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)].map((found) => found[1] ?? '');
    return links.filter((link) => {
      if (/^https?:/.test(link)) return false;
      const [path = '', heading] = link.split('#');
      const target = path === '' ? file : join(dirname(file), path);
      return !existsSync(target) || (heading !== undefined && !headings(target).includes(heading));
    });
  });
  expect(dead).toEqual([]);
});

test('the sizes and prices of the README are what is forecast of its own example', () => {
  const readme = readFileSync(join(__dirname, '../../README.md'), 'utf8');
  const line = shownCommands().find((shown) => shown.includes('--judge openai:gpt-5-mini')) ?? '';
  const words = wordsOf(line);
  const after = (flag: string) => words.filter((_, i) => words[i - 1] === flag);
  const rows = [
    ...readme.matchAll(/^\| (\d+), (\d+)[^|]*\| \$([\d.]+) \| (?:(\d+) Elo: (\d+)|no interval)/gm),
  ];
  expect(rows).toHaveLength(4);
  for (const [, n, matches, usd, gap, won] of rows) {
    const planned = planInput({
      ...{ goal: words[1], candidates: after('-c'), judge: after('--judge')[0], budgetUsd: 10 },
      ...{ n: Number(n), matches: Number(matches) },
    });
    if (!('plan' in planned)) throw new Error(JSON.stringify(planned));
    const { bench, detectableGapElo } = forecastBench(planned.plan);
    expect([bench.expectedUsd.toFixed(2), detectableGapElo?.toFixed(0)]).toEqual([usd, gap]);
    if (gap) expect((100 / (1 + 10 ** (-Number(gap) / 400))).toFixed(0)).toBe(won);
  }
});
