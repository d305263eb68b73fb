import {
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
import { readPrompts } from '../../activities/scipivot/prompts';
import { readReferences } from '../../activities/scipivot/references';
import { fixtureAnswer } from '../../core/scipivot/fixture-merit';
import { exportRelease } from '../../scripts/scipivot/export-release';
import { publish } from '../../scripts/scipivot/new-directories';
import { BIN, cli, expectLimits, json, QUESTIONS, type Ran, run, sha256 } from './scipivot-runs';

let folder: string;
const at = (...names: string[]) => path.join(folder, ...names);
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'scipivot-cli-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

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
