import { gunzipSync } from 'node:zlib';
import { DomUtils, parseDocument } from 'htmlparser2';
import { HOW_TO_READ } from '../../../activities/reporting/how-to-read';
import { BenchPages, type PageFile } from '../../../activities/reporting/html/bench-pages';
import { html } from '../../../activities/reporting/html/markup';
import { forestPlot } from '../../../activities/reporting/html/plots/bench-plots';
import { drawPlot } from '../../../activities/reporting/html/plots/draw-plot';
import { plainText } from '../../../activities/reporting/plain-text';
import { reportOptions } from '../../../activities/reporting/report-options';
import { reportBench } from '../../../core/report/bench-report';
import { SCIPIVOT_LIMITS } from '../../../core/scipivot/limits';
import type { MadeUpBench } from '../../../scripts/made-up/made-up-bench';
import { BENCH_ID, madeUp } from '../../core/report/made-up';
import { panelNight } from '../../core/report/panel-night';
import { HOSTILE, hostileReason, hostileRecord } from './hostile-texts';

const OPTIONS = reportOptions();
let plain: MadeUpBench;
let hostile: MadeUpBench;
beforeAll(async () => {
  plain = await madeUp();
  hostile = await madeUp({ reword: hostileRecord, reason: hostileReason });
});

function pagesOf({ record, attempts }: MadeUpBench): PageFile[] {
  const pages = new BenchPages(record, reportBench(record, OPTIONS));
  for (const attempt of attempts) pages.add([attempt]);
  return [...pages.ready(), ...pages.rest()];
}

/** A page as a parser that is not ours sees it: its elements, each with name, attributes and text. */
function elementsOf({ text }: { text: string }) {
  const elements = DomUtils.findAll(() => true, parseDocument(text).children);
  return elements.map((element) => ({
    name: element.name,
    attributes: element.attribs,
    classes: (element.attribs.class ?? '').split(' '),
    text: () => DomUtils.textContent(element),
    below: () => DomUtils.findAll(() => true, element.children),
  }));
}

type Seen = ReturnType<typeof elementsOf>;
const ofClass = (elements: Seen, name: string, of: string) =>
  elements.filter((element) => element.name === name && element.classes.includes(of));
const withAttribute = (elements: Seen, attribute: string) =>
  elements.filter(({ attributes }) => attributes[attribute] !== undefined);
const wordsOf = (elements: Seen) => elements.find(({ name }) => name === 'main')!.text();

test('the same rows give the same bytes, whatever was drawn before', () => {
  const before = pagesOf(plain);
  pagesOf(hostile);
  expect(pagesOf(structuredClone(plain))).toEqual(before);
});

test('a bench of 24 matches is one page with every slot, match, verdict and rationale, and nothing fetched', () => {
  const pages = pagesOf(plain);
  expect(pages.map(({ name }) => name)).toEqual([`${BENCH_ID}.html`]);
  const elements = elementsOf(pages[0]!);
  expect(ofClass(elements, 'details', 'hypothesis')).toHaveLength(12);
  expect(ofClass(elements, 'details', 'match')).toHaveLength(24);
  expect(ofClass(elements, 'article', 'verdict')).toHaveLength(48);
  const words = wordsOf(elements);
  for (const { rationale } of plain.record.matches.flatMap(({ verdicts }) => verdicts)) {
    expect(words).toContain(rationale!);
  }
  const fetched = elements.filter(({ name, attributes }) => attributes.src !== undefined || name === 'link');
  expect(fetched.map(({ attributes }) => attributes.href)).toEqual(['data:,']);
});

test('the figures of the leaderboard are those of the rows, in their order', () => {
  const page = pagesOf(plain)[0]!.text;
  const table = /<table>[\s\S]*?<\/table>/.exec(page.slice(page.indexOf('id="leaderboard"')))![0];
  const rows = elementsOf({ text: table })
    .filter(({ name }) => name === 'tr')
    .slice(1)
    .map((row) => row.text());
  const whole = (value: number) => String(Math.round(value)).replace('-', '−');
  for (const [i, row] of plain.record.run.summary!.candidates.entries()) {
    expect(rows[i]).toContain(row.label);
    expect(rows[i]).toContain(whole(row.rating!));
    expect(rows[i]).toContain(`${whole(row.ratingLow!)} to ${whole(row.ratingHigh!)}`);
    expect(rows[i]).toContain(`${row.wins}-${row.losses}-${row.ties}`);
  }
});

test('a candidate’s mode is a word beside its colour, its figures stand at the right, and what failed at the left', () => {
  const page = pagesOf(plain)[0]!.text;
  const table = /<table>[\s\S]*?<\/table>/.exec(page.slice(page.indexOf('id="leaderboard"')))![0];
  const elements = elementsOf({ text: table });
  const heads = elements.filter(({ name }) => name === 'th').slice(0, 12);
  const numbers = heads.filter(({ classes }) => classes.includes('number')).map((head) => head.text());
  expect(numbers).toEqual([
    ...['#', 'rating', '95 % interval', 'rank', 'W-L-T', 'mean Elo', 'gold', 'hypotheses'],
  ]);
  const modes = elements
    .filter(({ name }) => name === 'tr')
    .slice(1)
    .map((row) => DomUtils.textContent(row.below().filter(({ name }) => name === 'td')[0]!));
  const { candidates } = reportBench(plain.record, OPTIONS);
  expect(modes).toEqual(candidates.map(({ mode }) => mode));
  expect(new Set(modes)).toEqual(new Set(['pipeline', 'direct']));
});

test('the page says how its figures are read in the words of the Markdown', () => {
  const words = wordsOf(elementsOf(pagesOf(plain)[0]!));
  for (const text of HOW_TO_READ) expect(words).toContain(text.replaceAll('*', ''));
  expect(HOW_TO_READ.filter((text) => text.split('*').length % 2 === 0)).toEqual([]);
});

test('a night’s candidates never meet: the page says so, and has no win matrix', () => {
  const night = panelNight(plain.record, 'bnc_01J0000000000000000000000B');
  const has = (record: typeof night) => {
    const elements = elementsOf(pagesOf({ ...plain, record })[0]!);
    const says = wordsOf(elements).includes('No two of its candidates have met in a match.');
    return [says, ofClass(elements, 'div', 'matrix').length];
  };
  expect(has(night)).toEqual([true, 0]);
  expect(has(plain.record)).toEqual([false, 1]);
});

test('of SciΠvot alone the page has its scores and costs, and no empty leaderboard, matrix or matches', () => {
  const record = structuredClone(plain.record);
  const alone = { ...record, hypotheses: [], matches: [], goldHits: [], rescores: [] };
  alone.run.plan.n = 0;
  alone.run.summary!.scipivot = {
    ...{ dataSet: 'fixture', nCases: 248, promptsSha256: 'ab'.repeat(32), isPinned: false },
    ...{ subjects: [], differences: [], margin: null, limits: SCIPIVOT_LIMITS },
  };
  alone.run.ratings = null;
  const sections = (of: typeof alone) =>
    elementsOf(pagesOf({ ...plain, record: of, attempts: [] }).at(-1)!).filter(
      ({ name }) => name === 'section',
    );
  expect(sections(alone).map(({ attributes }) => attributes.id)).toEqual(['scipivot', 'costs', 'methods']);
  const methods = sections(alone).at(-1)!.text();
  expect(methods).toContain('4 candidates were asked a data set of SciΠvot');
  expect(methods).not.toContain('Each wrote 0 hypotheses');
});

test('the words of all 72 calls are in the page, packed, as they were sent and received', () => {
  const elements = elementsOf(pagesOf(plain)[0]!);
  const found = new Map<string, { request: string; response: string }[]>();
  for (const block of withAttribute(elements, 'data-group')) {
    const calls = JSON.parse(gunzipSync(Buffer.from(block.text().trim(), 'base64')).toString()) as object;
    for (const [key, attempts] of Object.entries(calls)) found.set(key, attempts);
  }
  const opened = withAttribute(elements, 'data-transcript').map(
    ({ attributes }) => attributes['data-transcript'],
  );
  expect(opened.toSorted()).toEqual(plain.attempts.map(({ key }) => key));
  for (const { key, request, response } of plain.attempts) {
    expect(found.get(key)).toEqual([expect.objectContaining({ request, response })]);
  }
});

test('hostile texts become no element, attribute, script or link: the page has the shape of a harmless one', () => {
  const elements = elementsOf(pagesOf(hostile)[0]!);
  const names = new Set(elements.map(({ name }) => name));
  for (const name of ['img', 'iframe', 'object', 'embed', 'base']) expect(names).not.toContain(name);
  // Its hypotheses cite what no tool had shown, hence a list with quotes.
  const harmless = new Set(['ol', 'li', 'q', ...elementsOf(pagesOf(plain)[0]!).map(({ name }) => name)]);
  expect([...names].filter((name) => !harmless.has(name))).toEqual([]);
  expect(
    elements.filter(({ name, attributes }) => name === 'script' && attributes.type === undefined),
  ).toHaveLength(1);
  const handlers = elements
    .flatMap(({ attributes }) => Object.keys(attributes))
    .filter((name) => name.startsWith('on'));
  expect(handlers).toEqual([]);
  const links = elements.filter(({ name }) => name === 'a').map(({ attributes }) => attributes.href!);
  expect(links.filter((href) => !/^(#|https:\/\/example\.org\/)/.test(href))).toEqual([]);
  expect(ofClass(elements, 'details', 'match')).toHaveLength(24);
  expect(elements.filter(({ name }) => name === 'section')).toHaveLength(10);
});

test('hostile texts are seen as what they are, controls as U+FFFD', () => {
  const words = wordsOf(elementsOf(pagesOf(hostile)[0]!));
  for (const text of [HOSTILE.html, HOSTILE.attribute, HOSTILE.sql]) expect(words).toContain(text);
  expect(words).toContain(plainText(HOSTILE.bidi));
  expect(words).not.toMatch(/[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069\u200b]/u);
});

test('of 600 matches the page links 3 pages beside it, which hold 250, 250 and 100, with texts and transcripts', async () => {
  const many = await madeUp({ input: { ...plain.record.run.input, n: 2, matches: 100 } });
  const pages = pagesOf(many);
  const names = [1, 2, 3].map((page) => `${BENCH_ID}-matches/00${page}.html`);
  expect(pages.map(({ name }) => name)).toEqual([...names, `${BENCH_ID}.html`]);
  const elements = pages.map(elementsOf);
  expect(elements.map((page) => ofClass(page, 'details', 'match').length)).toEqual([250, 250, 100, 0]);
  const links = elements.at(-1)!.flatMap(({ name, attributes }) => (name === 'a' ? [attributes.href] : []));
  expect(links.filter((href) => href?.endsWith('.html'))).toEqual(names);
  const [first] = elements as [Seen];
  expect(ofClass(first, 'details', 'hypothesis')).toHaveLength(8);
  const groups = withAttribute(first, 'data-group').map(({ attributes }) => attributes['data-group']);
  const opened = withAttribute(first, 'data-in');
  expect(opened).toHaveLength(250 * 2 + 8 * 2);
  for (const { attributes } of opened) expect(groups).toContain(attributes['data-in']);
});

test('pages beside come as soon as their calls are there, and do not depend on when', async () => {
  const { record, attempts } = await madeUp({ input: { ...plain.record.run.input, n: 2, matches: 100 } });
  const inOrder = [
    ...attempts.filter(({ kind }) => kind !== 'judge'),
    ...record.matches.flatMap(({ verdicts }) =>
      verdicts.map(({ callKey }) => attempts.find(({ key }) => key === callKey)!),
    ),
  ];
  const pages = new BenchPages(record, reportBench(record, OPTIONS));
  const early = inOrder.flatMap((attempt) => {
    pages.add([attempt]);
    return [...pages.ready()];
  });
  expect(early.map(({ name }) => name.slice(-8))).toEqual(['001.html', '002.html', '003.html']);
  expect([...early, ...pages.rest()]).toEqual(pagesOf({ record, attempts }));
});

test('a drawing has no id, class or mark that depends on what was drawn before it', () => {
  const report = reportBench(plain.record, OPTIONS);
  const [one, other] = [drawPlot(forestPlot(report)!), drawPlot(forestPlot(report)!)];
  expect(one.text).toBe(other.text);
  expect(one.text).not.toMatch(/zr\d|ecmeta|<style/);
});

test('what is put into markup is escaped, but for markup itself', () => {
  expect(html`<a title="${'"><script>'}">${html`<b>${'<i>'}</b>`}${[1, null, '&']}</a>`.text).toBe(
    '<a title="&quot;&gt;&lt;script&gt;"><b>&lt;i&gt;</b>1&amp;</a>',
  );
});

test('the arguments of a debate can be opened beside its verdict, in the order they were held', async () => {
  const { record, attempts } = structuredClone(plain);
  const [verdict] = record.matches[0]!.verdicts;
  const held = attempts.find(({ key }) => key === verdict!.callKey)!;
  const turn = (n: number) => ({ ...held, key: `${held.key.slice(0, -1)}${n}`, kind: 'debate' as const });
  const debate = [turn(1), turn(2)];
  verdict!.callKey = turn(3).key;
  const all = [...attempts, ...debate.slice(1), { ...turn(3), kind: 'judge' as const }];
  record.calls = all.map(({ request: _, response: __, ...call }) => call);
  const page = elementsOf(pagesOf({ record, attempts: all })[0]!);
  const opened = withAttribute(page, 'data-transcript')
    .filter(({ attributes }) => attributes['data-transcript']!.startsWith(held.key.slice(0, -1)))
    .map((button) => [button.text(), button.attributes['data-transcript']]);
  expect(opened).toEqual([
    ['transcript', turn(3).key],
    ['argument 1', turn(1).key],
    ['argument 2', turn(2).key],
  ]);
});
