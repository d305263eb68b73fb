import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readPrompts } from '../../activities/scipivot-prompts';
import { readReferences } from '../../activities/scipivot-references';
import { fixtureAnswer } from '../../core/scipivot/fixture-merit';
import { fixtureFiles } from '../../scripts/build-scipivot-fixture';
import { exportRelease } from '../../scripts/scipivot/export-release';
import { publish } from '../../scripts/scipivot/new-directories';
import { buildScoreReport } from '../../scripts/scipivot/score-report';

const PROJECT = path.join(__dirname, '../..');
const FIXTURE = path.join(PROJECT, 'presets/scipivot/fixture');
const QUESTIONS = path.join(FIXTURE, 'questions.json');
const AGGREGATES = path.join(FIXTURE, 'aggregates.csv');

let folder: string;
const at = (...names: string[]) => path.join(folder, ...names);
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'scipivot-cli-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('co-scientist scipivot audit', () => {
  test('passes the fixture: 248 cases, 124 A, 124 B, 60 rows that agree, marked unpinned', async () => {
    const output = at('audit.json');
    const ran = await cli(
      'audit',
      '--questions',
      QUESTIONS,
      '--aggregates',
      AGGREGATES,
      '--output',
      output,
      '--allow-unpinned',
    );
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    const report = json(output);
    expect(report).toMatchObject({
      status: 'passed',
      deterministic: true,
      seeds: [],
      n_cases: 248,
      n_planned_prompts: 496,
      labels: { A: 124, B: 124 },
      inputs: { questions: { sha256: sha256(QUESTIONS) }, aggregates: { sha256: sha256(AGGREGATES) } },
      pin: { status: 'unpinned' },
    });
    expectLimits(report);
  });

  test('refuses another hash than the pinned one, with both, and writes nothing', async () => {
    const ran = await cli(
      'audit',
      '--questions',
      QUESTIONS,
      '--aggregates',
      AGGREGATES,
      '--output',
      at('audit.json'),
    );
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain(
      'is not the pinned 87a7b05115ce3438ba3b62b30a21dbe6f618c8657527442b094b79f5b664fd9f',
    );
    expect(ran.stderr).toContain(
      'is not the pinned e53e68a571ead46f9334bc899904b7a0e1f8c0dd3fb323e7d90f9c5ad05ec458',
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  test('fails, writes its report and exits 1 when one row contradicts itself', async () => {
    const csv = readFileSync(AGGREGATES, 'utf8').replace(
      /^(fixture-model-1,fixture-condition-1,248,496),\d+/m,
      '$1,325',
    );
    writeFileSync(at('bad.csv'), csv);
    const ran = await cli(
      'audit',
      '--questions',
      QUESTIONS,
      '--aggregates',
      at('bad.csv'),
      '--output',
      at('audit.json'),
      '--allow-unpinned',
    );
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain(
      'audit failed: line 2, model "fixture-model-1", condition "fixture-condition-1"',
    );
    expect(json(at('audit.json'))).toMatchObject({ status: 'failed' });
  });

  test('gives the same bytes for the same input', async () => {
    for (const name of ['one.json', 'two.json']) {
      await cli(
        'audit',
        '--questions',
        QUESTIONS,
        '--aggregates',
        AGGREGATES,
        '--output',
        at(name),
        '--allow-unpinned',
      );
    }
    expect(readFileSync(at('one.json'))).toEqual(readFileSync(at('two.json')));
  });

  test('exits 2 without its files', async () => {
    expect((await cli('audit', '--output', at('a.json'))).code).toBe(2);
  });
});

describe('co-scientist scipivot export', () => {
  const inProcess = (changes: Partial<Parameters<typeof exportRelease>[0]> = {}) =>
    exportRelease({
      questions: QUESTIONS,
      publicDir: at('public'),
      graderDir: at('private', 'grader'),
      output: at('receipt.json'),
      caseIds: 'opaque',
      allowUnpinned: true,
      ...changes,
    });

  test('writes 496 prompts in both orders, and nothing else, into the public directory', async () => {
    await inProcess();
    expect(readdirSync(at('public'))).toEqual(['prompts.jsonl']);
    const prompts = readPrompts(readFileSync(at('public', 'prompts.jsonl')));
    expect([prompts.length, new Set(prompts.map(({ caseId }) => caseId)).size]).toEqual([496, 248]);
    expect(prompts.slice(0, 2).map(({ order }) => order)).toEqual(['ab', 'ba']);
  });

  test('writes references of 124 A and 124 B that fit the prompts', async () => {
    await inProcess();
    const { revision, references } = readReferences(readFileSync(at('private', 'grader', 'references.json')));
    expect(revision).toBe(`unpinned:${sha256(QUESTIONS)}`);
    expect(references.filter(({ label }) => label === 'A')).toHaveLength(124);
    const prompts = readPrompts(readFileSync(at('public', 'prompts.jsonl')));
    const labels = new Map(references.map(({ caseId, label }) => [caseId, label]));
    for (const { caseId, order, prompt } of prompts) {
      expect(fixtureAnswer(prompt) === labels.get(caseId)).toBe(order === 'ab');
    }
  });

  test('binds both sides in a receipt by their hashes, with its settings and limits', async () => {
    await inProcess();
    const receipt = json(at('receipt.json'));
    expect(receipt).toMatchObject({
      pin: { status: 'unpinned' },
      deterministic: true,
      seeds: [],
      settings: { case_ids: 'opaque', allow_unpinned: true },
      inputs: { questions: { sha256: sha256(QUESTIONS) } },
      n_prompts: 496,
      public: { files: { 'prompts.jsonl': { sha256: sha256(at('public', 'prompts.jsonl')) } } },
      grader: {
        files: {
          'references.json': { sha256: sha256(at('private', 'grader', 'references.json')) },
          'case-ids.json': { sha256: sha256(at('private', 'grader', 'case-ids.json')) },
        },
      },
    });
    expectLimits(receipt);
  });

  test('gives the same bytes for the same input, however its cases are ordered', async () => {
    await inProcess();
    const turned = json(QUESTIONS) as { questions: unknown[] };
    turned.questions.reverse();
    writeFileSync(at('turned.json'), JSON.stringify(turned));
    await inProcess({ publicDir: at('p2'), graderDir: at('g2'), output: at('r2.json') });
    await inProcess({
      questions: at('turned.json'),
      publicDir: at('p3'),
      graderDir: at('g3'),
      output: at('r3.json'),
    });
    expect(readFileSync(at('r2.json'))).toEqual(readFileSync(at('receipt.json')));
    expect(readFileSync(at('p3', 'prompts.jsonl'))).toEqual(readFileSync(at('public', 'prompts.jsonl')));
  });

  test('lets no field of a case but its two options out: not its id, and no planted gold', async () => {
    const release = json(QUESTIONS) as { questions: object[] };
    const planted = release.questions.map((question, i) => ({
      ...question,
      id: `planted-id-${i}`,
      rationale: 'planted-rationale',
      trace: { after: ['planted-trace'] },
      origin_a: 'planted-origin',
    }));
    writeFileSync(at('planted.json'), JSON.stringify({ questions: planted }));
    await inProcess({ questions: at('planted.json') });
    expect(readFileSync(at('public', 'prompts.jsonl'), 'utf8').includes('planted')).toBe(false);
    expect(readFileSync(at('receipt.json'), 'utf8').includes('planted')).toBe(false);
    expect(readFileSync(at('private', 'grader', 'case-ids.json'), 'utf8')).toContain(
      '"source_id": "planted-id-17"',
    );
  });

  test.each(['000', '022', '077', '027', '777'])(
    'gives the grader 0700 and 0600, the public 0755 and 0644, under umask %s',
    async (umask) => {
      const ran = await underUmask(umask, exportArguments({}));
      expect([ran.code, ran.stderr]).toEqual([0, '']);
      expect(modeOf(at('grader'))).toBe('700');
      for (const name of readdirSync(at('grader'))) expect(modeOf(at('grader', name))).toBe('600');
      expect([modeOf(at('public')), modeOf(at('public', 'prompts.jsonl'))]).toEqual(['755', '644']);
    },
  );

  test('makes the grader’s missing parents 0700 under umask 000', async () => {
    await underUmask('000', exportArguments({ '--grader-dir': at('new', 'parents', 'grader') }));
    expect([modeOf(at('new')), modeOf(at('new', 'parents')), modeOf(at('new', 'parents', 'grader'))]).toEqual(
      ['700', '700', '700'],
    );
  });

  describe('refuses, and leaves nothing behind', () => {
    const refused = async (changes: Record<string, string>): Promise<string> => {
      const before = tree(folder);
      const ran = await cli(...exportArguments(changes));
      expect([1, 2]).toContain(ran.code);
      expect(tree(folder)).toEqual(before);
      return ran.stderr;
    };

    test.each(['--public-dir', '--grader-dir', '--output'])(
      'an existing %s: a directory, empty or not, a file, a link, a dangling link',
      async (option) => {
        mkdirSync(at('empty'));
        mkdirSync(at('full'));
        writeFileSync(at('full', 'kept.txt'), 'kept');
        writeFileSync(at('file'), 'kept');
        symlinkSync(at('empty'), at('link'));
        symlinkSync(at('nowhere'), at('dangling'));
        for (const there of ['empty', 'full', 'file', 'link', 'dangling']) {
          expect(await refused({ [option]: at(there) })).toContain(`${option}: ${at(there)} exists`);
        }
      },
    );

    test('directories of which one lies in the other, or the receipt in one of them', async () => {
      expect(await refused({ '--grader-dir': at('public', 'grader') })).toContain('lies in --public-dir');
      expect(await refused({ '--public-dir': at('grader', 'public') })).toContain('lies in --grader-dir');
      expect(await refused({ '--public-dir': at('grader') })).toContain('is or lies in');
      expect(await refused({ '--output': at('public', 'receipt.json') })).toContain('lies in --public-dir');
      expect(await refused({ '--output': at('grader', 'receipt.json') })).toContain('lies in --grader-dir');
      expect(await refused({ '--public-dir': at('x', '..', 'grader', 'p') })).toContain(
        'lies in --grader-dir',
      );
      expect(await refused({ '--public-dir': at('Same', 'p'), '--grader-dir': at('same') })).toContain(
        'lies in --grader-dir',
      );
    });

    test('nesting hidden behind symbolic links', async () => {
      mkdirSync(at('real'));
      symlinkSync(at('real'), at('link'));
      symlinkSync(at('link'), at('link2'));
      expect(
        await refused({ '--public-dir': at('real', 'p'), '--grader-dir': at('link2', 'p', 'g') }),
      ).toContain('lies in --public-dir');
      expect(await refused({ '--public-dir': at('link', 'x'), '--grader-dir': at('link2', 'x') })).toContain(
        'is or lies in',
      );
      symlinkSync(at('public'), at('to-public'));
      expect(await refused({ '--grader-dir': at('to-public', 'g') })).toContain('leads nowhere');
      symlinkSync('loop', at('loop'));
      expect(await refused({ '--grader-dir': at('loop', 'g') })).toMatch(/leads nowhere|ELOOP/);
    });

    test('a parent that is a file', async () => {
      writeFileSync(at('file'), '');
      expect(await refused({ '--output': at('file', 'receipt.json') })).toContain('ENOTDIR');
      expect(await refused({ '--grader-dir': at('file', 'grader') })).toContain('ENOTDIR');
    });

    test('a release that is not the pinned one, or not readable, or not of a known shape', async () => {
      const ran = await cli(...exportArguments({}).filter((argument) => argument !== '--allow-unpinned'));
      expect([ran.code, readdirSync(folder)]).toEqual([1, []]);
      expect(await refused({ '--questions': at('none.json') })).toContain('ENOENT');
      writeFileSync(at('odd.json'), '{"questions":[\n{"id":"q","label":"A","options":"none"}]}');
      expect(await refused({ '--questions': at('odd.json') })).toContain(
        'questions: line 2: questions[0]: two options',
      );
    });
  });

  test('takes back both directories when the receipt turns out to be there at the last moment', async () => {
    writeFileSync(at('receipt.json'), 'kept');
    const directory = { mode: 0o700, fileMode: 0o600, parentMode: 0o700, files: [{ name: 'f', text: 't' }] };
    const made = publish(
      [
        { option: '--public-dir', place: at('a', 'public'), ...directory },
        { option: '--grader-dir', place: at('b', 'grader'), ...directory },
      ],
      { option: '--output', place: at('receipt.json'), text: 'new' },
    );
    await expect(made).rejects.toThrow('exists');
    expect(tree(folder)).toEqual(['receipt.json']);
    expect(readFileSync(at('receipt.json'), 'utf8')).toBe('kept');
  });

  test('replaces no directory that appears while it builds', async () => {
    mkdirSync(at('grader'));
    writeFileSync(at('grader', 'kept.txt'), 'kept');
    const directory = { mode: 0o700, fileMode: 0o600, parentMode: 0o700, files: [{ name: 'f', text: 't' }] };
    const made = publish(
      [
        { option: '--public-dir', place: at('public'), ...directory },
        { option: '--grader-dir', place: at('grader'), ...directory },
      ],
      { option: '--output', place: at('receipt.json'), text: 'new' },
    );
    await expect(made).rejects.toThrow('exists');
    expect(tree(folder)).toEqual(['grader', 'grader/kept.txt']);
  });

  function exportArguments(changes: Record<string, string>): string[] {
    const options = {
      '--questions': QUESTIONS,
      '--public-dir': at('public'),
      '--grader-dir': at('grader'),
      '--output': at('receipt.json'),
      ...changes,
    };
    return ['export', '--allow-unpinned', ...Object.entries(options).flat()];
  }
});

describe('co-scientist scipivot score', () => {
  const REFERENCES = {
    format: 1,
    revision: 'r',
    references: [
      { case_id: 'x', label: 'A' },
      { case_id: 'y', label: 'B' },
    ],
  };
  const line = (case_id: string, order: string, response: string, status = 'ok') =>
    JSON.stringify({ case_id, order, status, response });

  test('scores the written check: mean .6370967741935484, interval .594758064516129 to .6774193548387096', async () => {
    // 248 cases: the first 100 right in both orders, then 116 in one, then 32 in none (reference numbers: numpy 2.4).
    const label = (i: number) => (i % 2 === 0 ? 'A' : 'B');
    const other = (letter: string) => (letter === 'A' ? 'B' : 'A');
    const ids = Array.from({ length: 248 }, (_, i) => `case-${i}`);
    const references = ids.map((case_id, i) => ({ case_id, label: label(i) }));
    writeFileSync(at('references.json'), JSON.stringify({ format: 1, revision: 'r', references }));
    const lines = ids.flatMap((id, i) => [
      line(id, 'ab', i < 216 ? label(i) : other(label(i))),
      line(id, 'ba', `{"answer":"${i < 100 ? other(label(i)) : label(i)}"}`),
    ]);
    writeFileSync(at('predictions.jsonl'), `${lines.join('\n')}\n`);
    const ran = await score();
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    expect(ran.stdout).toContain('63.71 %  (316 of 496 sessions, 248 cases)');
    expect(ran.stdout).toContain('59.48 % to 67.74 %');
    const report = json(at('score.json'));
    expect(report).toMatchObject({
      mean: 0.6370967741935484,
      interval: { low: 0.594758064516129, high: 0.6774193548387096, level: 0.95 },
      n_cases: 248,
      n_sessions: 496,
      deterministic: true,
      seeds: [20261004],
      settings: { bootstrap: { resamples: 10000, seed: 20261004, level: 0.95 } },
      inputs: {
        references: { sha256: sha256(at('references.json')) },
        predictions: { sha256: sha256(at('predictions.jsonl')) },
      },
      pin: { status: 'unpinned' },
      published: { label: "published by the paper's authors, not run here" },
    });
    expectLimits(report);
    expect(JSON.stringify(report)).not.toContain('case-1');
  });

  test('changes nothing but the file’s hash when the lines are in another order', async () => {
    const lines = [
      line('x', 'ab', 'A'),
      line('x', 'ba', 'A'),
      line('y', 'ab', 'B'),
      line('y', 'ba', '', 'timeout'),
    ];
    const reports = [];
    for (const order of [lines, [...lines].reverse()]) {
      put(REFERENCES, order);
      const { inputs, ...report } = await inProcess();
      reports.push([report, (inputs as { references: unknown }).references]);
    }
    expect(reports[0]).toEqual(reports[1]);
  });

  test('counts failures by kind, each wrong, and the missing ones with them', async () => {
    put(REFERENCES, [
      line('x', 'ab', 'A', 'timeout'),
      line('x', 'ba', '{"answer":"B","answer":"B"}'),
      line('y', 'ab', 'the first'),
    ]);
    expect(await inProcess()).toMatchObject({
      mean: 0,
      failures: {
        timeout: 1,
        truncated: 0,
        provider_error: 0,
        refused: 0,
        unparseable: 1,
        ambiguous: 1,
        missing: 1,
      },
      order_consistency: null,
    });
  });

  test('says pinned only as the references state it', async () => {
    put({ ...REFERENCES, revision: '94a47d391893ea392fd9bb9883a65d2c8834e6f2' }, []);
    expect(await inProcess()).toMatchObject({ mean: 0, pin: { status: 'pinned_as_the_references_state' } });
  });

  test('refuses a bad file with every line, exits 1 and writes nothing', async () => {
    put(REFERENCES, [
      line('x', 'ab', 'A'),
      line('z', 'ab', 'A'),
      line('x', 'ab', 'A'),
      '{"case_id":"x","case_id":"x"}',
    ]);
    const ran = await score();
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain(
      'predictions: line 2: case_id: not in the references: "z"; line 3: case "x", order ab: stands on line 1 already; line 4: key "case_id" stands twice',
    );
    expect(existsSync(at('score.json'))).toBe(false);
  });

  test('takes a line of exactly 1,000,000 bytes and refuses one of 1,000,001, with its number', async () => {
    const padded = (bytes: number) => {
      const bare = line('x', 'ba', '');
      return line('x', 'ba', 'x'.repeat(bytes - bare.length));
    };
    put(REFERENCES, [line('x', 'ab', 'A'), padded(1_000_000)]);
    expect(await inProcess()).toMatchObject({ mean: 0.25, failures: { unparseable: 1 } });
    put(REFERENCES, [line('x', 'ab', 'A'), padded(1_000_001), line('z', 'ab', 'A')]);
    await expect(inProcess()).rejects.toThrow('predictions: line 2: over 1000000 bytes; line 3: case_id');
  });

  test('reads a line of 200 MB in the memory of one', async () => {
    writeFileSync(at('references.json'), JSON.stringify(REFERENCES));
    const chunk = Buffer.alloc(20_000_000, 'x');
    for (let i = 0; i < 10; i++) writeFileSync(at('predictions.jsonl'), chunk, { flag: 'a' });
    const ran = await score({ NODE_OPTIONS: '--max-old-space-size=100' });
    expect(ran.stderr).toContain('predictions: line 1: over 1000000 bytes');
  });

  test('replaces an older score whole, through a link too, and never one of its inputs', async () => {
    put(REFERENCES, [line('x', 'ab', 'A')]);
    writeFileSync(at('score.json'), 'older');
    expect((await score()).code).toBe(0);
    expect(json(at('score.json'))).toMatchObject({ mean: 0.25 });
    symlinkSync(at('references.json'), at('link.json'));
    const ran = await cli(
      'score',
      '--references',
      at('references.json'),
      '--predictions',
      at('predictions.jsonl'),
      '--output',
      at('link.json'),
    );
    expect([ran.code, ran.stderr.includes('is the file of --references')]).toEqual([2, true]);
    expect(json(at('references.json'))).toEqual(REFERENCES);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('writes to /dev/stdout without replacing it', async () => {
    put(REFERENCES, [line('x', 'ab', 'A')]);
    const before = lstatSync('/dev/stdout').ino;
    const options = ['--references', at('references.json'), '--predictions', at('predictions.jsonl')];
    // Through a pipe of the shell's: Node's own is a socket, which cannot be opened by name.
    const piped = ['-c', '"$@" | cat', 'sh', process.execPath, BIN, 'scipivot', 'score', ...options];
    const ran = await run('/bin/sh', [...piped, '--output', '/dev/stdout']);
    expect([ran.stderr, lstatSync('/dev/stdout').ino]).toEqual(['', before]);
    expect(ran.stdout).toContain('"mean": 0.25');
  });

  test('from audit to score: a candidate that knows the fixture scores 1, one that always says A scores ½', async () => {
    await exportRelease({
      questions: QUESTIONS,
      publicDir: at('public'),
      graderDir: at('grader'),
      output: at('receipt.json'),
      caseIds: 'opaque',
      allowUnpinned: true,
    });
    const prompts = readPrompts(readFileSync(at('public', 'prompts.jsonl')));
    writeFileSync(at('references.json'), readFileSync(at('grader', 'references.json')));
    const reportOf = async (answer: (prompt: string) => string) => {
      const lines = prompts.map(({ caseId, order, prompt }) => line(caseId, order, answer(prompt)));
      writeFileSync(at('predictions.jsonl'), `${lines.join('\n')}\n`);
      await score();
      return json(at('score.json'));
    };
    expect(await reportOf((prompt) => fixtureAnswer(prompt)!)).toMatchObject({
      mean: 1,
      order_consistency: 1,
    });
    expect(await reportOf(() => 'A')).toMatchObject({ mean: 0.5, order_consistency: 0, shown_first_rate: 1 });
  });

  function put(references: object, lines: string[]): void {
    writeFileSync(at('references.json'), JSON.stringify(references));
    writeFileSync(at('predictions.jsonl'), lines.map((text) => `${text}\n`).join(''));
  }

  function inProcess() {
    return buildScoreReport({ references: at('references.json'), predictions: at('predictions.jsonl') });
  }

  function score(environment: Record<string, string> = {}) {
    const options = [
      '--references',
      at('references.json'),
      '--predictions',
      at('predictions.jsonl'),
      '--output',
      at('score.json'),
    ];
    return run(process.execPath, [BIN, 'scipivot', 'score', ...options], environment);
  }
});

describe('the fixture', () => {
  test('is what its script writes, to the byte, and says that it is a fixture', () => {
    const files = fixtureFiles();
    expect(readFileSync(QUESTIONS, 'utf8')).toBe(files['questions.json']);
    expect(readFileSync(AGGREGATES, 'utf8')).toBe(files['aggregates.csv']);
    expect(json(QUESTIONS).notice).toMatch(/^FIXTURE\. Invented .* MIT\. Not the SciΠvot release/);
    for (const row of files['aggregates.csv'].trim().split('\n').slice(1))
      expect(row).toMatch(/^fixture-model-.*,fixture$/);
  });
});

const BIN = path.join(PROJECT, 'scripts/bin.cjs');

interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

function cli(...args: string[]): Promise<Ran> {
  return run(process.execPath, [BIN, 'scipivot', ...args]);
}

function underUmask(umask: string, args: string[]): Promise<Ran> {
  return run('/bin/sh', [
    '-c',
    `umask ${umask}; exec "$@"`,
    'sh',
    process.execPath,
    BIN,
    'scipivot',
    ...args,
  ]);
}

function run(program: string, args: string[], environment: Record<string, string> = {}): Promise<Ran> {
  const env = { ...process.env, NO_COLOR: '1', ...environment };
  return new Promise((resolve) => {
    execFile(program, args, { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr });
    });
  });
}

function expectLimits(report: Record<string, unknown>): void {
  expect(report).toMatchObject({
    adapter: null,
    evaluation_protocol_interface: 'options_only',
    diagnostic_only: true,
    eligible_for_promotion: false,
    full_experiment_status: 'not_reproduced_high_cost',
    official_files: expect.stringContaining('Not at hand'),
    measures: expect.stringContaining('Not predicting the success'),
    denominator: expect.stringContaining('Strict'),
    scorer_reproduction: expect.stringContaining('No claim'),
    prompt: expect.stringContaining('not the released one'),
    sandbox: expect.stringContaining('Mount the public directory alone'),
  });
  expect((report.does_not_show as string[]).length).toBeGreaterThan(0);
}

function json(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

function modeOf(place: string): string {
  return (statSync(place).mode & 0o7777).toString(8);
}

/** Every name below a folder, links not followed. */
function tree(root: string, below = ''): string[] {
  return readdirSync(path.join(root, below), { withFileTypes: true })
    .flatMap((entry) => {
      const name = path.join(below, entry.name);
      return entry.isDirectory() ? [name, ...tree(root, name)] : [name];
    })
    .sort();
}
