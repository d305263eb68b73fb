import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KNOWN_PROVIDERS } from '../../activities/providers';
import { catalogue, findGoldSet, findPriceTable } from '../../presets';
import { runCli } from './run-cli';

// None of these may start anything: the home stays unmade.
const folder = mkdtempSync(join(tmpdir(), 'bench-usage-'));
const home = join(folder, 'home');
const env = { CO_SCIENTIST_HOME: home };
afterAll(() => {
  expect(existsSync(home)).toBe(false);
  rmSync(folder, { recursive: true });
});

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe('a bench that cannot be', () => {
  test('all 9 problems of flags and input are listed, with what was meant, and it ends with 2', async () => {
    const { exitCode, stdout, stderr } = await runCli(
      [
        ...['bench', '--preset', 'papper', '-c', 'a=opnai:gpt-5@direct', '-c', 'a=sim:firr@direct'],
        ...['--judge', 'sim', '--n', 'x', '--matches', '5000', '--goldset', 'aml', '--price', 'sim:a'],
      ],
      env,
    );
    expect(exitCode).toBe(2);
    expect(stdout).toBe('');
    const [head, ...rest] = stderr.trimEnd().split('\n');
    expect(head).toBe('error: 9 problems in the bench input; nothing was started');
    expect(rest.slice(0, -1).every((line) => line.startsWith('  - '))).toBe(true);
    for (const words of [
      'did you mean paper?',
      'did you mean openai?',
      'did you mean fir?',
      '--n: "x"',
      '--price',
    ]) {
      expect(stderr).toContain(words);
    }
    expect(rest.at(-1)).toMatch(/^ {2}fix: /);
  });

  test('a model without a price is told with the flag that declares one', async () => {
    const { exitCode, stderr } = await runCli(
      ['bench', 'a goal', '-c', 'a=openai:gpt-99@direct', '-c', 'b=sim:fir', '--judge', 'sim:referee'],
      env,
    );
    expect(exitCode).toBe(2);
    expect(stderr).toContain('no price for "openai:gpt-99"');
    expect(stderr).toContain("--price 'provider:model=in/out'");
  });

  test('two candidates of one label in a file of input are a problem of their second place', async () => {
    const path = file(
      'twice.json',
      JSON.stringify({ preset: 'demo', candidates: ['a=sim:fir', 'a=sim:elm'] }),
    );
    const { exitCode, stderr } = await runCli(['bench', '--input', path], env);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('candidates[1]: the label "a" is already that of candidates[0]');
  });

  test('a field of a wrong name or type is listed beside the others', async () => {
    const input = { preset: 'demo', n: '3', budgetPerCandidate: 1, seed: -1 };
    const { exitCode, stderr } = await runCli(['bench', '--input', '-'], env, {
      stdin: JSON.stringify(input),
    });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('3 problems');
    for (const field of ['  - n:', '"budgetPerCandidate"', '  - seed:']) expect(stderr).toContain(field);
  });

  test.each([
    ['{"n": }', 'is not JSON'],
    ['[1]', 'holds an array, not an object'],
    ['null', 'holds null, not an object'],
    ['\uFEFF[1]', 'holds an array, not an object'], // as Windows editors save it: the mark is no part of the JSON
    ['', 'is not JSON'],
    ['{"budgetUsd": 1, "budgetUsd": 100}', 'has the key "budgetUsd" twice in one object (line 1)'],
  ])('stdin of %j %s', async (stdin, words) => {
    const { exitCode, stderr } = await runCli(['bench', '--input', '-'], env, { stdin });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(words);
  });

  test.each([
    [['bench', '--input', '/nowhere/at-all.json'], 'no such file'],
    [['bench', '--preset', 'demo', '--detach', '--json'], "'--json' cannot be used with option '--detach'"],
    [['bench', 'find', 'a', 'drug'], 'too many arguments'],
    [['bench', '--judgee', 'x'], "unknown option '--judgee'"],
    [['list', '--limit', 'all'], '--limit: "all" is not a count'],
    // A bench may not begin with a cap above a million either (docs/guide: budgets 0 to 1000000).
    [['raise-budget', 'bnc_0', 'judge', '1000001'], '<usd>: "1000001" is not a cap in dollars'],
    [['raise-budget', 'bnc_0', 'judge', '1e308'], '<usd>: "1e308" is not a cap in dollars'],
    [['show'], "missing required argument 'bench'"],
  ])('`%j` is a usage error: %s', async (args, words) => {
    const { exitCode, stderr } = await runCli(args, env);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(words);
    expect(stderr.trim().split('\n')).toHaveLength(2);
  });
});

describe('lists', () => {
  test('presets are those of the registry, as text and as JSON', async () => {
    const names = Object.keys(catalogue(KNOWN_PROVIDERS).presets);
    const json = await runCli(['presets', '--json'], env);
    expect(JSON.parse(json.stdout).presets.map((preset: { name: string }) => preset.name)).toEqual(names);
    const text = await runCli(['presets'], env);
    for (const name of names) expect(text.stdout).toMatch(new RegExp(`^${name}$`, 'm'));
  });

  test('gold sets say where they come from and since when they are public', async () => {
    const json = await runCli(['goldsets', '--json'], env);
    expect(JSON.parse(json.stdout).goldSets).toContainEqual(findGoldSet('aml-repurposing-paper-top3'));
    const text = await runCli(['goldsets'], env);
    expect(text.stdout).toMatch(/public since +2025-02-26/);
  });

  test('prices are the table in force; a part of a name narrows it', async () => {
    const json = await runCli(['prices', '--json'], env);
    expect(JSON.parse(json.stdout)).toEqual(findPriceTable());
    const text = await runCli(['prices', 'haiku'], env);
    expect(text.stdout).toMatch(/anthropic:claude-haiku-4-5 +1\.00 +5\.00 +0\.10 +1\.25/);
    expect(text.stdout).not.toContain('opus');
    const tiers = await runCli(['prices', 'google:gemini-2.5-pro'], env);
    expect(tiers.stdout).toMatch(/over 200,000 tokens in +2\.50 +15\.00 +0\.25 +–/);
  });
});

describe('goldsets test', () => {
  const SET = 'aml-repurposing-paper-top3';

  test('"unlike leflunomide or JPH 203" hits 2 of 3, by name and by alias; a class hits none', async () => {
    const text = 'Unlike leflunomide or JPH 203, no DHODH inhibitor and no KIRA60.';
    const { exitCode, stdout } = await runCli(['goldsets', 'test', SET, '--text', text, '--json'], env);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      hits: [
        { entity: 'Nanvuranlat', alias: 'JPH-203', excerpt: expect.stringContaining('JPH 203') },
        { entity: 'Leflunomide', alias: 'Leflunomide', excerpt: expect.stringContaining('leflunomide') },
      ],
    });
  });

  test('a text from stdin or a file; one without hits is 0, not an error', async () => {
    const piped = await runCli(['goldsets', 'test', SET, '--file', '-'], env, { stdin: 'about Kira6 alone' });
    expect(piped.stdout).toContain(`1 of 3 entities of ${SET}`);
    const none = await runCli(['goldsets', 'test', SET, '--file', file('t.txt', 'statins'), '--json'], env);
    expect([none.exitCode, JSON.parse(none.stdout)]).toEqual([0, { hits: [] }]);
  });

  const OWN = {
    name: 'mine',
    version: 1,
    source: { title: 'A list', publisher: 'Me', id: 'list-1', url: 'https://example.org/list' },
    publishedOn: '2026-01-31',
    criteria: ['chosen by me'],
    entities: [{ name: 'β-lapachone', aliases: ['ARQ 501'] }],
  };

  test('a set of one’s own is read from a file: "beta lapachone" hits β-lapachone', async () => {
    const { stdout } = await runCli(
      ['goldsets', 'test', file('own.json', JSON.stringify(OWN)), '--text', 'beta lapachone', '--json'],
      env,
    );
    expect(JSON.parse(stdout).hits).toEqual([
      { entity: 'β-lapachone', alias: 'β-lapachone', excerpt: 'beta lapachone' },
    ]);
  });

  test('a broken set of one’s own has all 5 of its problems listed, and ends with 2', async () => {
    const { criteria: _, ...rest } = OWN;
    const broken = {
      ...rest,
      version: 0,
      publishedOn: '2026-02-31',
      entities: [{ name: '***', aliases: 'x' }],
    };
    const path = file('broken.json', JSON.stringify(broken));
    const { exitCode, stderr } = await runCli(['goldsets', 'test', path, '--text', 'x'], env);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('5 problems');
    for (const place of [
      'version:',
      'publishedOn:',
      'criteria:',
      'entities[0].name:',
      'entities[0].aliases:',
    ]) {
      expect(stderr).toContain(`  - ${place}`);
    }
  });

  test('two names that are the same to a search are a problem', async () => {
    const set = { ...OWN, entities: [...OWN.entities, { name: 'ARQ-501', aliases: [] }] };
    const path = file('same.json', JSON.stringify(set));
    const { exitCode, stderr } = await runCli(['goldsets', 'test', path, '--text', 'x'], env);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('entities[1].name: "ARQ-501" is the same to a search as entities[0].aliases[0]');
  });

  test.each([
    [
      ['goldsets', 'test', 'aml-repurposing-paper-top', '--text', 'x'],
      'did you mean aml-repurposing-paper-top3?',
    ],
    [['goldsets', 'test', SET], 'no text to search'],
    [['goldsets', 'test', SET, '--text', 'x', '--file', 'y'], "cannot be used with option '--file"],
    [['goldsets', 'tset', SET], "unknown command 'tset'"],
  ])('`%j` is a usage error: %s', async (args, words) => {
    const { exitCode, stderr } = await runCli(args, env);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(words);
  });
});

describe('files that are not what they have to be', () => {
  const latin1 = () => file('latin1.json', Buffer.from('{"preset":"demo","goal":"für"}', 'latin1'));
  const set = {
    ...{ name: 'own', version: 1, publishedOn: '2026-01-31', criteria: ['chosen by me'] },
    source: { title: 'A list', publisher: 'Me', id: 'list-1', url: 'https://example.org/list' },
    entities: [{ name: 'KIRA6', aliases: [] }],
  };

  test('a goal that is not UTF-8 is refused with 2, and not paid for with its letters lost', async () => {
    const { exitCode, stderr } = await runCli(['bench', '--input', latin1()], env);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('latin1.json is not UTF-8 text');
  });

  test.each([
    ['bench', '--input', folder],
    ['rescore', 'bnc_01', '--goldset', folder],
    ['goldsets', 'test', folder, '--text', 'x'],
    ['goldsets', 'test', 'aml-repurposing-paper-5', '--file', folder],
    ['rate', folder],
    ['eval', '--junit', folder],
  ])('a folder for a file is told as one, with 2: %s %s %s %s', async (...argv) => {
    const { exitCode, stdout, stderr } = await runCli(argv, env);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/is a folder/);
  });

  test('a gold set with a byte order mark and CRLF, as Windows editors write it, is read', async () => {
    const path = file('own.json', `\uFEFF${JSON.stringify(set, null, 2).replaceAll('\n', '\r\n')}`);
    const { exitCode, stdout } = await runCli(['goldsets', 'test', path, '--text', 'kira6 binds'], env);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('1 of 1 entity of own')]);
  });

  test('`scipivot run` alone lacks a data set and a candidate: 2 things, none of them a bench’s', async () => {
    const { exitCode, stderr } = await runCli(['scipivot', 'run'], env);
    expect(exitCode).toBe(2);
    expect(stderr.match(/^ {2}- .*$/gm)).toEqual([
      "  - required option '--data <name>' not specified",
      '  - candidates: 0 given, a bench needs at least 1',
    ]);
  });
});
