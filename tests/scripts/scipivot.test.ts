import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readPrompts } from '../../activities/scipivot/prompts';
import { fixtureAnswer } from '../../core/scipivot/fixture-merit';
import { fixtureFiles } from '../../scripts/build-scipivot-fixture';
import { exportRelease } from '../../scripts/scipivot/export-release';
import { buildScoreReport } from '../../scripts/scipivot/score-report';
import { AGGREGATES, BIN, cli, expectLimits, json, QUESTIONS, run, sha256 } from './scipivot-runs';

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
