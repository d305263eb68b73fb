import MarkdownIt from 'markdown-it';
import { benchPageMarkdown, resultsPage } from '../../../activities/reporting/markdown/results-page';
import { reportOptions } from '../../../activities/reporting/report-options';
import { reportBench } from '../../../core/report/bench-report';
import { reportBenches } from '../../../core/report/benches-report';
import type { RecordedBench } from '../../../core/report/recorded-bench';
import { BENCH_ID, madeUp } from '../../core/report/made-up';
import { hostileReason, hostileRecord } from './hostile-texts';

const markdown = new MarkdownIt('default', { html: true, linkify: true });
const OPTIONS = reportOptions();

let plain: RecordedBench;
let hostile: RecordedBench;
beforeAll(async () => {
  ({ record: plain } = await madeUp());
  // The same figures with other words: whatever then differs in the page's shape, words have done.
  hostile = structuredClone(plain);
  for (const hypothesis of hostile.hypotheses)
    hypothesis.record = { ...hostileRecord(hypothesis.record!), citations: [] };
  for (const { verdicts } of hostile.matches) {
    for (const verdict of verdicts) verdict.rationale = hostileReason(verdict.rationale!);
  }
});

function pageOf(...records: RecordedBench[]): string {
  const reports = records.map((record) => reportBench(record, OPTIONS));
  return resultsPage(reportBenches(reports, OPTIONS.themeSets));
}

/** The page's blocks, without the words in them. */
function shapeOf(page: string): string[] {
  return markdown.parse(page, {}).map(({ type, tag, info }) => `${type} ${tag} ${info}`);
}

test('the same rows give the same bytes, whatever was drawn and written in between', () => {
  const before = pageOf(plain);
  pageOf(hostile);
  expect(pageOf(structuredClone(plain))).toBe(before);
});

test('hostile texts change no heading, table, row, list or code block of the page', () => {
  // The same slots, candidates and matches; tables of agreement have as many rows as entities are shared.
  const withoutAgreement = (page: string) =>
    page
      .replace(/## Agreement between models, over all benches[\s\S]*?\n## /, '## ')
      .replace(/### Agreement between models[\s\S]*?\n### /, '### ');
  const gold = (page: string) => page.replace(/### Gold sets[\s\S]*?### Judge/, '');
  expect(shapeOf(gold(withoutAgreement(pageOf(hostile))))).toEqual(
    shapeOf(gold(withoutAgreement(pageOf(plain)))),
  );
});

test('no token of a hostile page is HTML, an image, or a link that is not ours', () => {
  const tokens = markdown.parse(pageOf(hostile), {}).flatMap((token) => [token, ...(token.children ?? [])]);
  expect(tokens.filter(({ type }) => /html|image/.test(type))).toEqual([]);
  const links = tokens.filter(({ type }) => type === 'link_open').map((token) => token.attrGet('href'));
  expect(links.filter((href) => href !== `#${BENCH_ID.toLowerCase()}`)).toEqual([]);
});

test('a line of 200,000 characters is cut; the page stays below 100 KB', () => {
  expect(pageOf(hostile).length).toBeLessThan(100_000);
});

test('every slot’s statement and file, every gold set, every candidate’s interval stand on the page', () => {
  const page = benchPageMarkdown(reportBench(plain, OPTIONS));
  for (const { publicId } of plain.hypotheses) {
    expect(page).toContain(`artifacts/${BENCH_ID}/hypotheses/${publicId}.json`);
  }
  for (const { name } of OPTIONS.goldSets) expect(page).toContain(`\`${name}\``);
  for (const { ratingLow, ratingHigh } of plain.run.summary!.candidates) {
    const end = (value: number) => String(Math.round(value)).replace('-', '−');
    expect(page).toContain(`${end(ratingLow!)} to ${end(ratingHigh!)}`);
  }
});

test('where there are too few matches for an interval the page says so, and why', async () => {
  const { record } = await madeUp({ input: { ...plain.run.input, n: 1, matches: 1 } });
  const page = pageOf(record);
  expect(page).toContain('no interval: one hypothesis played');
  expect(page).toContain('| too few |');
  expect(page).not.toMatch(/NaN|undefined|Infinity|\[object/);
});

test('a slot that failed stands in the list with its kind, not with a statement', () => {
  const failed = structuredClone(plain);
  Object.assign(failed.hypotheses[0]!, {
    state: 'failed',
    failureKind: 'truncated',
    record: null,
    failureDetail: '',
  });
  expect(pageOf(failed)).toMatch(/\*\*oak\\\[pipe\\\] 1\*\* · failed: truncated/);
});

test('of two runs of one comparison it is said that drift between them is not in the intervals of both; of one run nothing', async () => {
  const { record: second } = await madeUp({
    benchId: 'bnc_01KQTEST00000000000000TWO0',
    input: { ...plain.run.input, seed: 5 },
  });
  const said = 'over so few runs, drift between them is not in those of all runs';
  expect(pageOf(plain, second)).toContain(said);
  expect(pageOf(plain)).not.toContain(said);
});

test('an empty database has a page too', () => {
  expect(resultsPage(reportBenches([], []))).toContain('There are no benches yet.');
});

test.each([
  ['running', true],
  ['paused', true],
  ['cancelled', false],
  ['finished', false],
] as const)('of a bench that is %s it is said that its figures may change: %s', (state, isSaid) => {
  const record = structuredClone(plain);
  record.run.state = state;
  expect(pageOf(record).includes('Not ended: figures so far')).toBe(isSaid);
});
