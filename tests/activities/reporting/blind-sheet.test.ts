import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { DomUtils, parseDocument } from 'htmlparser2';
import { blindKeySchema, writeBlindKey } from '../../../activities/reporting/blind/blind-key';
import { blindCsv, blindPage } from '../../../activities/reporting/blind/blind-sheet';
import { plainText } from '../../../activities/reporting/plain-text';
import { type BlindSample, blindSample } from '../../../core/report/blind-sample';
import type { RecordedBench } from '../../../core/report/recorded-bench';
import type { CliError } from '../../../scripts/cli-error';
import { readBlindAnswers } from '../../../scripts/report/blind-answers';
import { BENCH_ID, madeUp } from '../../core/report/made-up';
import { HOSTILE, hostileReason, hostileRecord } from './hostile-texts';

let plain: RecordedBench;
let hostile: RecordedBench;
let sample: BlindSample;
const folder = mkdtempSync(join(tmpdir(), 'blind-'));
beforeAll(async () => {
  ({ record: plain } = await madeUp());
  ({ record: hostile } = await madeUp({ reword: hostileRecord, reason: hostileReason }));
  sample = blindSample(plain, 9);
});
afterAll(() => rmSync(folder, { recursive: true }));

const rowsOf = (record: RecordedBench) =>
  parse(blindCsv(record, blindSample(record, 9)), { columns: true }) as Record<string, string>[];
const keyOf = (of: BlindSample) =>
  blindKeySchema.parse(JSON.parse(writeBlindKey(of, { simulated: true, judges: ['sim:referee'] })));

test('a sheet has both texts as the judge read them, sides as the key has them, and nothing of whose they are', () => {
  const rows = rowsOf(plain);
  expect(rows.map(({ item }) => item)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9']);
  const slots = new Map(plain.hypotheses.map((slot) => [slot.id, slot.record!]));
  for (const [i, { match, left }] of sample.items.entries()) {
    const { hypA, hypB } = plain.matches.find(({ index }) => index === match)!;
    expect(rows[i]!.left).toContain(slots.get(left === 'a' ? hypA : hypB)!.fullText);
    expect(rows[i]!.right).toContain(slots.get(left === 'a' ? hypB : hypA)!.fullText);
  }
  for (const sheet of [blindCsv(plain, sample), blindPage(plain, sample)]) {
    for (const label of plain.candidates.map((candidate) => candidate.label))
      expect(sheet).not.toContain(label);
    for (const word of [BENCH_ID, 'sim:', 'referee', 'hyp_']) expect(sheet).not.toContain(word);
    for (const { rationale } of plain.matches.flatMap(({ verdicts }) => verdicts)) {
      expect(sheet).not.toContain(rationale!);
    }
  }
});

test('where the judge saw the texts alone, so does the person: no citations on the sheet', () => {
  const { plan } = plain.run;
  const text = { ...plain, run: { ...plain.run, plan: { ...plan, judgeView: 'text' as const } } };
  expect(blindCsv(plain, sample)).toContain('Citations:');
  expect(blindCsv(text, sample)).not.toContain('Citations:');
});

test('a night’s matches against texts of another bench are in no sample', () => {
  const [first, ...rest] = plain.matches;
  const foreign = { ...first!, hypB: 'bnc_01J0000000000000000000000B/x/1' };
  const { items } = blindSample({ ...plain, matches: [foreign, ...rest] }, 999);
  expect(items.map(({ match }) => match)).not.toContain(foreign.index);
  expect(items).toHaveLength(blindSample(plain, 999).items.length - 1);
});

test('hostile texts become no element, handler, link or script of the page, and are seen as what they are', () => {
  const shape = (record: RecordedBench) => {
    const page = parseDocument(blindPage(record, blindSample(record, 9)));
    return DomUtils.findAll(() => true, page.children);
  };
  const elements = shape(hostile);
  expect(new Set(elements.map(({ name }) => name))).toEqual(new Set(shape(plain).map(({ name }) => name)));
  expect(elements.filter(({ name }) => name === 'script')).toHaveLength(1);
  expect(
    elements.flatMap(({ attribs }) => Object.keys(attribs)).filter((name) => /^on|^src$/.test(name)),
  ).toEqual([]);
  expect(elements.filter(({ name }) => name === 'fieldset')).toHaveLength(9);
  const words = elements.find(({ name }) => name === 'main')!;
  expect(DomUtils.textContent(words)).toContain(HOSTILE.html);
  expect(DomUtils.textContent(words)).toContain(plainText(HOSTILE.bidi));
});

test('no cell of a hostile sheet is a formula to a spreadsheet, and 9 rows stay 9 rows', () => {
  const rows = rowsOf(hostile);
  expect(rows).toHaveLength(9);
  for (const cell of rows.flatMap((row) => Object.values(row))) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
});

test('a key round-trips through its schema, and names the sample that the sheet names', () => {
  const key = keyOf(sample);
  expect(key).toMatchObject({ benchId: BENCH_ID, items: sample.items, available: sample.available });
  expect(new Set(rowsOf(plain).map((row) => row.sample))).toEqual(new Set([key.sample]));
});

function answersOf(text: string) {
  const path = join(folder, 'answers.csv');
  writeFileSync(path, text);
  return readBlindAnswers(path, keyOf(sample));
}

test('answers are read as left, right and tie in any case, from tables of commas, semicolons and tabs, with a BOM', () => {
  for (const delimiter of [',', ';', '\t']) {
    const text = ['item,answer', '1,Left', '2, RIGHT ', '3,tie', '4,', '5,neither'].join('\r\n');
    expect([...answersOf(`\ufeff${text.replaceAll(',', delimiter)}`)]).toEqual([
      [1, 'left'],
      [2, 'right'],
      [3, 'tie'],
      [5, 'tie'],
    ]);
  }
});

test('the exported table itself, with an answer in each row, is read whole', () => {
  const filled = blindCsv(plain, sample).replaceAll(/,"",""$/gm, ',"left",""');
  expect(answersOf(filled).size).toBe(9);
});

test('every bad row is listed with its line, also behind texts of several lines, and nothing is read', () => {
  const text = 'item,answer,comment\n1,left,"two\nlines"\n77,left,\n2,maybe,\n,right,\n1,right,\n3,tie,\n';
  let problems: readonly string[] = [];
  try {
    answersOf(text);
  } catch (error) {
    expect(error).toMatchObject({ exitCode: 2 });
    problems = (error as CliError).details.problems ?? [];
  }
  expect(problems).toEqual([
    'line 4: item "77" is none of 1 to 9',
    'line 5: item 2: the answer "maybe" is none of left, right, tie',
    'line 6: item "" is none of 1 to 9',
    'line 7: item 1 stands on line 2 already',
  ]);
});

test.each([
  ['of another sample', 'sample,item,answer\n000000000000,1,left\n', /1 row cannot be read/],
  ['without the column answer', 'item,verdict\n1,left\n', /has no column answer/],
  ['that is no table', 'item,answer\n1,"left\n', /is no table/],
])('a table %s is a usage error', (_, text, reason) => {
  expect(() => answersOf(text)).toThrow(reason);
});
