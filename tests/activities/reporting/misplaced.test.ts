import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchFile } from '../../../activities/reporting/bundle/bench-file';
import { hashOf } from '../../../activities/reporting/bundle/bundle';
import type { HypothesisFile } from '../../../activities/reporting/bundle/hypothesis-file';
import type { TranscriptFile } from '../../../activities/reporting/bundle/transcript-file';
import { writeBundle } from '../../../activities/reporting/bundle/write-bundle';
import { verifyBundles } from '../../../activities/reporting/verify/verify-bundle';
import type { MadeUpBench } from '../../../scripts/made-up/made-up-bench';
import { BENCH_ID, byKey, madeUp } from '../../core/report/made-up';

const DEEP = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
const OTHER = 'bnc_01KQTEST0000000000000THER1';

let bench: MadeUpBench;
beforeAll(async () => {
  bench = await madeUp({
    input: {
      goal: 'Find a drug for acute myeloid leukaemia (AML) that nobody has tried.',
      candidates: ['oak=sim:alder@direct', 'elm=sim:hazel@direct'],
      judge: 'sim:referee',
      n: 2,
      matches: 2,
    },
  });
});

/** A bundle edited by somebody who mends the hashes too. @returns what is told of it */
async function problemsOf(edit: (folder: Folder) => void): Promise<string[]> {
  const root = mkdtempSync(join(tmpdir(), 'bundle-'));
  await writeBundle(bench.record, byKey(bench), root);
  edit(new Folder(join(root, BENCH_ID)));
  const { problems } = verifyBundles(root);
  rmSync(root, { recursive: true });
  return problems.map(({ message }) => message);
}

class Folder {
  constructor(readonly path: string) {}

  bench(change: (file: BenchFile) => void): void {
    const place = join(this.path, 'bench', `${BENCH_ID}.json`);
    const file = JSON.parse(readFileSync(place, 'utf8')) as BenchFile;
    change(file);
    writeFileSync(place, JSON.stringify(file));
  }

  hypothesis(change: (file: HypothesisFile) => void): void {
    this.hashed('hypotheses', change);
  }

  verdict(change: (file: TranscriptFile) => void): void {
    this.hashed('transcripts/judge', change);
  }

  private hashed<T>(part: string, change: (file: T) => void): void {
    const place = join(this.path, part, readdirSync(join(this.path, part)).sort()[0]!);
    const before = readFileSync(place, 'utf8');
    const file = JSON.parse(before) as T;
    change(file);
    const after = JSON.stringify(file).replace('"DEEP"', DEEP);
    writeFileSync(place, after);
    const own = join(this.path, 'bench', `${BENCH_ID}.json`);
    writeFileSync(own, readFileSync(own, 'utf8').replace(hashOf(before), hashOf(after)));
  }
}

const EDITS: [string, (folder: Folder) => void, string][] = [
  [
    'a call that charges another bench',
    (folder) => folder.verdict(({ attempts }) => attempts[0]!.scopeIds.push(OTHER)),
    `is charged to ${OTHER}, none of the bench’s budgets`,
  ],
  [
    'an answer planted under the key of another bench',
    (folder) =>
      folder.verdict((file) => {
        file.key = file.key.replace(BENCH_ID, OTHER);
      }),
    'is a call of another bench',
  ],
  [
    'a transcript under the name of another',
    (folder) =>
      folder.verdict((file) => {
        file.id = `trn_${'0'.repeat(26)}`;
      }),
    `calls itself trn_${'0'.repeat(26)}`,
  ],
  [
    'one attempt twice',
    (folder) => folder.verdict(({ attempts }) => attempts.push({ ...attempts[0]! })),
    'is there twice',
  ],
  [
    'a verdict that rests on the answer of another verdict',
    (folder) =>
      folder.bench(({ matches }) => {
        matches[0]!.verdicts[0]!.callKey = matches[1]!.verdicts[0]!.callKey;
      }),
    'is not its call',
  ],
  [
    'a verdict whose key has a turn of 10^9',
    (folder) =>
      folder.bench(({ matches: [match] }) => {
        match!.verdicts[0]!.callKey = match!.verdicts[0]!.callKey.replace(/\d+$/, '1000000000');
      }),
    'is not its call',
  ],
  [
    'one verdict twice',
    (folder) => folder.bench(({ matches: [match] }) => match!.verdicts.push({ ...match!.verdicts[0]! })),
    'is there twice',
  ],
  [
    'one match twice',
    (folder) => folder.bench(({ matches }) => matches.push({ ...matches[0]! })),
    `match ${BENCH_ID}/m0: is there twice`,
  ],
  [
    'matches in the place of others',
    (folder) =>
      folder.bench(({ matches: [one, other] }) => {
        [one!.id, other!.id] = [other!.id, one!.id];
      }),
    `match ${BENCH_ID}/m1: its place is ${BENCH_ID}/m0`,
  ],
  [
    'a match of a slot that is not there',
    (folder) =>
      folder.bench(({ matches: [match] }) => {
        match!.hypA = `${match!.candA}/77`;
      }),
    '/77 is no hypothesis of',
  ],
  [
    'a candidate of another bench',
    (folder) =>
      folder.bench(({ candidates }) => {
        candidates[0]!.id = `${OTHER}/oak`;
      }),
    `candidate ${OTHER}/oak: its place is ${BENCH_ID}/oak`,
  ],
  [
    'the budget of another bench',
    (folder) =>
      folder.bench(({ budgets }) => {
        budgets[0]!.id = OTHER;
      }),
    `budget ${OTHER}: is none of the bench’s`,
  ],
  [
    'a hypothesis of another bench',
    (folder) =>
      folder.hypothesis((file) => {
        file.benchId = OTHER;
      }),
    `belongs to ${OTHER}`,
  ],
  [
    'a hypothesis that is a duplicate of another bench’s',
    (folder) =>
      folder.hypothesis((file) => {
        file.duplicateOf = `${OTHER}/oak/1`;
      }),
    'which is none of the bench',
  ],
  [
    'a review that rests on another’s answer',
    (folder) =>
      folder.hypothesis((file) => {
        file.review!.callKey += '/2';
      }),
    'its place is',
  ],
  [
    'a request of 100,000 levels',
    (folder) =>
      folder.verdict(({ attempts }) => {
        attempts[0]!.request = 'DEEP';
      }),
    'is JSON of more than 500 levels',
  ],
];

test.each(EDITS)('%s is told, whoever mended the hashes', async (_, edit, message) => {
  const messages = await problemsOf(edit);
  expect(messages.join('\n')).toContain(message);
});

test('a bundle that nobody edited has no such problem', async () => {
  expect(await problemsOf(() => {})).toEqual([]);
});

test('a file that is a folder is missing', async () => {
  const messages = await problemsOf(({ path }) => {
    const folder = join(path, 'hypotheses');
    const place = join(folder, readdirSync(folder)[0]!);
    rmSync(place);
    mkdirSync(place);
  });
  expect(messages).toContain('is missing');
});
