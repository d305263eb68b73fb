import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { benchFileParts, benchFileSchema } from '../../../activities/reporting/bundle/bench-file';
import { hashOf } from '../../../activities/reporting/bundle/bundle';
import { BUNDLE_SCHEMAS } from '../../../activities/reporting/bundle/json-schemas';
import { findBundles, readBundle } from '../../../activities/reporting/bundle/read-bundle';
import { readWords, writeWords } from '../../../activities/reporting/bundle/words';
import { writeBundle } from '../../../activities/reporting/bundle/write-bundle';
import { verifyBundles } from '../../../activities/reporting/verify/verify-bundle';
import type { MadeUpBench } from '../../../scripts/made-up/made-up-bench';
import { BENCH_ID, byKey, madeUp } from '../../core/report/made-up';
import { filesOf } from './files-of';
import { hostileReason, hostileRecord } from './hostile-texts';

let bench: MadeUpBench;
let root: string;
beforeAll(async () => {
  bench = await madeUp();
  root = mkdtempSync(join(tmpdir(), 'bundle-'));
  await writeBundle(bench.record, byKey(bench), root);
});
afterAll(() => rmSync(root, { recursive: true }));

test('a bench of 12 slots and 72 calls is 85 files: its own, a file a slot, a file a call, and nothing else', () => {
  const names = Object.keys(filesOf(root));
  expect(names).toHaveLength(1 + 12 + 72);
  expect(names.filter((name) => name.endsWith('.tmp'))).toEqual([]);
  expect(names.every((name) => name.startsWith(`/${BENCH_ID}/`))).toBe(true);
});

test('written again, also with calls in another order, it is the same bytes', async () => {
  const again = mkdtempSync(join(tmpdir(), 'bundle-'));
  const backwards = async function* () {
    for (const attempt of bench.attempts.toReversed()) yield [attempt];
  };
  await writeBundle(bench.record, backwards(), again);
  expect(filesOf(again)).toEqual(filesOf(root));
  rmSync(again, { recursive: true });
});

test('read back, it is the record and the attempts that it was written from', () => {
  const [place] = findBundles(root);
  const read = readBundle(place!, root);
  if (Array.isArray(read)) throw new Error(JSON.stringify(read));
  const { calls, ...rest } = bench.record;
  expect(read.bench).toEqual(rest);
  const attempts = [...read.attempts()].flat().sort((one, other) => (one.key < other.key ? -1 : 1));
  expect(attempts).toEqual(bench.attempts);
  expect(read.problems).toEqual([]);
  expect(attempts.map(({ request: _, response: __, ...call }) => call)).toEqual(calls);
});

test('it verifies: 24 matches, 72 calls, 0 differences, 0 problems', () => {
  const { benches, problems } = verifyBundles(root);
  expect(problems).toEqual([]);
  expect(benches).toEqual([{ benchId: BENCH_ID, matches: 24, calls: 72, differences: [], unchecked: [] }]);
});

/** Changes one file of a copy, and its hash in the bench's file when asked to. */
async function tamper(
  part: string,
  change: (text: string) => string,
  hidesIt: boolean,
): Promise<ReturnType<typeof verifyBundles>> {
  const copy = mkdtempSync(join(tmpdir(), 'bundle-'));
  await writeBundle(bench.record, byKey(bench), copy);
  const folder = join(copy, BENCH_ID, part);
  const name = part === 'bench' ? `${BENCH_ID}.json` : readdirSync(folder).sort()[0]!;
  const before = readFileSync(join(folder, name), 'utf8');
  const after = change(before);
  if (after === before) throw new Error(`nothing changed in ${part}/${name}`);
  writeFileSync(join(folder, name), after);
  if (hidesIt) {
    const benchFile = join(copy, BENCH_ID, 'bench', `${BENCH_ID}.json`);
    const text = readFileSync(benchFile, 'utf8').replace(hashOf(before), hashOf(after));
    writeFileSync(benchFile, text);
  }
  const verification = verifyBundles(copy);
  rmSync(copy, { recursive: true });
  return verification;
}

test('a byte changed in any kind of file is a problem of that file', async () => {
  for (const part of ['hypotheses', 'transcripts/judge', 'transcripts/review', 'transcripts/generation']) {
    const { problems } = await tamper(part, (text) => text.replace('(simulated', '(SIMULATED'), false);
    expect(problems).toHaveLength(1);
    expect(problems[0]!.file).toContain(part);
    expect(problems[0]!.message).toBe('has other bytes than its bench lists');
  }
});

test('a raw verdict rewritten together with its hash contradicts the row; so do a review, a hypothesis and a request', async () => {
  const verdict = await tamper(
    'transcripts/judge',
    (text) =>
      text.replace(
        /\\"winner\\":\\"(first|second|tie)\\"/,
        (_, winner) => `\\"winner\\":\\"${winner === 'first' ? 'second' : 'first'}\\"`,
      ),
    true,
  );
  expect(verdict.problems).toEqual([]);
  expect(verdict.benches[0]!.differences.map(({ field }) => field)).toEqual(['winnerPosition']);

  const review = await tamper('transcripts/review', (text) => text.replace('(simulated)', '(made up)'), true);
  expect(review.benches[0]!.differences.some(({ subject }) => subject.startsWith('review of'))).toBe(true);

  const answer = await tamper(
    'transcripts/generation',
    (text) => text.replace(/\\"title\\":\\"/, '\\"title\\":\\"Another '),
    true,
  );
  expect(answer.benches[0]!.differences.map(({ field }) => field)).toEqual(['rawAnswer']);

  const request = await tamper(
    'transcripts/judge',
    (text) => text.replace('You are a judge', 'You are my judge'),
    true,
  );
  expect(request.benches[0]!.differences.map(({ field }) => field)).toEqual([
    'requestSha256',
    'requestBytes',
  ]);
});

test('what is missing, what is no JSON, what does not fit its schema and what belongs to nobody is named', async () => {
  const { problems } = await tamper(
    'bench',
    (text) => text.replace('"matches": [', '"matches": [{},'),
    false,
  );
  expect(problems[0]!.message).toMatch(/^matches\[0\]\.id: /);
  const copy = mkdtempSync(join(tmpdir(), 'bundle-'));
  await writeBundle(bench.record, byKey(bench), copy);
  const folder = join(copy, BENCH_ID, 'hypotheses');
  const [first, second] = readdirSync(folder).sort();
  rmSync(join(folder, first!));
  writeFileSync(join(folder, second!), 'no JSON');
  writeFileSync(join(folder, 'hyp_stray.json'), '{}');
  const messages = verifyBundles(copy).problems.map(({ message }) => message);
  expect(messages).toEqual([
    'is missing',
    'has other bytes than its bench lists',
    'is not JSON',
    'belongs to no bench here',
  ]);
  rmSync(copy, { recursive: true });
});

/** One broken value each, by its place. */
const BROKEN: Readonly<Record<string, unknown>> = {
  preset: 7,
  n: 1001,
  replicates: -1,
  matches: 2.5,
  orders: 'either',
  verdictMode: 'duel',
  debateTurns: 0,
  judgeView: 'half',
  repeatShare: 1.5,
  goldSources: 'hide',
  'budgets.judgeUsd': -1,
  onJudgeCap: 'stop',
  maxInFlight: 0,
  'generation.maxTurns': 'many',
  thinking: 'on',
  literature: 'none',
  scipivot: 3,
  allowSelfJudging: 'yes',
  probe: null,
  session: {},
  notes: 'none',
  'candidates[0].releasedOn': 'lately',
};

test('a plan with a broken value in each of 22 fields is refused by all 22 places at once', async () => {
  const { problems } = await tamper(
    'bench',
    (text) => {
      const file = JSON.parse(text);
      const { settings } = file;
      for (const [place, value] of Object.entries(BROKEN)) {
        const [field, inner] = place.split('.');
        if (place.startsWith('candidates')) settings.candidates[0].releasedOn = value;
        else if (inner === undefined) settings[field!] = value;
        else settings[field!][inner] = value;
      }
      return JSON.stringify(file);
    },
    false,
  );
  const places = problems.map(({ message }) => /^settings\.(\S+): ./.exec(message)?.[1]);
  expect(places.sort()).toEqual(Object.keys(BROKEN).sort());
  const messages = problems.map(({ message }) => message);
  expect(messages).toContain('settings.thinking: expected "off" or a number of tokens');
});

test('each broken value is refused alone too, and a plan of before replicates, releases and SciΠvot is not', () => {
  const file = JSON.parse(readFileSync(join(root, BENCH_ID, 'bench', `${BENCH_ID}.json`), 'utf8'));
  const isRead = (settings: unknown) => benchFileSchema.safeParse({ ...file, settings }).success;
  const simple = Object.entries(BROKEN).filter(([place]) => /^\w+$/.test(place));
  expect(simple).toHaveLength(19);
  for (const [field, value] of simple) {
    expect([field, isRead({ ...file.settings, [field]: value })]).toEqual([field, false]);
  }
  const { replicates, scipivot, ...old } = file.settings;
  const candidates = old.candidates.map(({ releasedOn, ...candidate }: Record<string, unknown>) => candidate);
  expect(isRead({ ...old, candidates })).toBe(true);
  expect(isRead({ ...old, candidates, ofLater: true })).toBe(true);
});

test('of a file with 150 broken matches the first 100 problems are told, and how many more there are', async () => {
  const { problems } = await tamper(
    'bench',
    (text) => {
      const file = JSON.parse(text);
      file.matches = Array.from({ length: 150 }, () => ({ ...file.matches[0], state: 'lost' }));
      return JSON.stringify(file);
    },
    false,
  );
  const messages = problems
    .map(({ message }) => message)
    .filter((message) => message !== 'belongs to no bench here');
  expect(messages).toHaveLength(101);
  expect(messages[99]).toMatch(/^matches\[99\]\.state: /);
  expect(messages[100]).toBe('and 50 more of the kind');
});

test('a bundle of before there was a next dollar verifies with 0 differences', async () => {
  for (const change of [/,\n\s*"nextDollar": "\w+"/, /(?<="nextDollar": )"\w+"/]) {
    const { benches, problems } = await tamper(
      'bench',
      (text) => text.replace(change, (found) => (found.startsWith(',') ? '' : 'null')),
      false,
    );
    expect([benches[0]!.differences, problems]).toEqual([[], []]);
  }
});

test('a bench’s file cannot name files outside its folder', () => {
  const file = JSON.parse(readFileSync(join(root, BENCH_ID, 'bench', `${BENCH_ID}.json`), 'utf8'));
  expect(benchFileSchema.safeParse(file).success).toBe(true);
  const evil = { ...file.files, hypotheses: { '../../../../etc/passwd': 'a'.repeat(64) } };
  expect(benchFileSchema.safeParse({ ...file, files: evil }).success).toBe(false);
  expect(benchFileSchema.safeParse({ ...file, session: '../up' }).success).toBe(false);
});

test('hostile texts in every field are written, read back and verified without a difference', async () => {
  const hostile = await madeUp({ reword: hostileRecord, reason: hostileReason });
  const copy = mkdtempSync(join(tmpdir(), 'bundle-'));
  await writeBundle(hostile.record, byKey(hostile), copy);
  const read = readBundle(findBundles(copy)[0]!, copy);
  if (Array.isArray(read)) throw new Error(JSON.stringify(read));
  expect(read.bench.hypotheses).toEqual(hostile.record.hypotheses);
  expect(read.bench.matches).toEqual(hostile.record.matches);
  const { benches, problems } = verifyBundles(copy);
  expect([problems, benches[0]!.differences]).toEqual([[], []]);
  rmSync(copy, { recursive: true });
});

test('a bench’s file, written match by match, is what JSON.stringify gives of the whole, hostile and empty ones too', async () => {
  const hostile = await madeUp({
    reword: hostileRecord,
    reason: (text) => `${hostileReason(text)}\u2028\n  "matches": []`,
  });
  for (const record of [bench.record, hostile.record, { ...bench.record, matches: [] }]) {
    const text = [...benchFileParts(record, { hypotheses: {}, transcripts: {} })].join('');
    expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
    expect((JSON.parse(text) as { matches: unknown }).matches).toEqual(record.matches);
  }
});

test('the words of a call survive as they came: JSON, no JSON, deep, with odd keys, null', () => {
  const deep = `${'['.repeat(3000)}${']'.repeat(3000)}`;
  const texts = [
    'null',
    '{"a":1}',
    '{ "a": 1 }',
    'not JSON',
    '"\\u0000"',
    '{"__proto__":1}',
    '{"2":1,"1":2}',
    '1e400',
    deep,
    '',
  ];
  for (const text of texts) {
    const words = JSON.parse(JSON.stringify(writeWords('request', text)));
    expect(readWords(words.request, words.requestText)).toBe(text);
  }
  fc.assert(
    fc.property(
      fc.oneof(
        fc.json(),
        fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
      ),
      (text) => {
        const words = JSON.parse(JSON.stringify(writeWords('response', text)));
        expect(readWords(words.response, words.responseText)).toBe(text);
      },
    ),
  );
});

test('the JSON schemas in docs/schemas are those of the zod schemas', () => {
  for (const [name, schema] of Object.entries(BUNDLE_SCHEMAS)) {
    const file = join(__dirname, '..', '..', '..', 'docs', 'schemas', name);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(schema);
  }
});
