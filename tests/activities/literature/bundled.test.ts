import { createLiteratureGateway } from '../../../activities/literature';
import { bundledLibrary, type NotesFile } from '../../../activities/literature/bundled/bundled-notes';
import type { LiteratureHttp } from '../../../activities/literature/literature-http';
import { literatureSettings } from '../../../activities/literature/literature-settings';
import { createMemoryCache } from '../../../activities/literature/memory-cache';
import { createMemorySlots } from '../../../activities/literature/memory-slots';
import { catalogue, findGoldSet } from '../../../presets';
import { readDataFile } from '../../../presets/data-file';

const noNetwork: LiteratureHttp = {
  api: () => Promise.reject(new Error('the network was used')),
  web: () => Promise.reject(new Error('the network was used')),
  isAllowedOrigin: () => false,
  close: async () => {},
};
const gateway = createLiteratureGateway({
  settings: literatureSettings({}),
  slots: createMemorySlots(),
  cache: createMemoryCache(),
  http: noNetwork,
  now: () => new Date('2026-11-29T12:00:00Z'),
});
afterAll(() => gateway.close());
const run = (tool: string, args: unknown) => {
  const source = gateway.find('bundled', tool);
  if (!source) throw new Error(`${tool} is not offered`);
  return source.run(args, gateway.open(new AbortController().signal, []));
};
const file = readDataFile<NotesFile>('literature', 'aml-practice-notes');

test('all five tools are offered, also without a key', () => {
  expect(gateway.offer('bundled')).toEqual({
    tools: ['search_pubmed', 'search_arxiv', 'search_europe_pmc', 'search_web', 'fetch_page'],
    absent: [],
  });
});

test.each([
  ['search_pubmed', 'venetoclax BCL-2 priming', 'bcl2-dependence'],
  ['search_europe_pmc', '"ferroptosis"[tiab] AND GPX4', 'ferroptosis-basics'],
  ['search_arxiv', 'abs:synergy Bliss', 'synergy-measures'],
  ['search_web', 'complex I therapeutic window', 'complex-one-window'],
])('%s finds the note on "%s" first', async (tool, query, id) => {
  const { outcome, documents, text } = await run(tool, { query });
  expect(outcome).toBe('found');
  expect(documents[0]?.url).toBe(`https://example.org/co-scientist-bench/notes/${id}`);
  expect(documents[0]?.flags).toContain('bundled');
  expect(text).toContain('BUNDLED: written for this project');
});

test('the same question gives the same answer, to the byte, 3 times', async () => {
  const answers = await Promise.all(
    [1, 2, 3].map(() => run('search_pubmed', { query: 'stem cells', maxResults: 10 })),
  );
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
});

test('words that no note holds give nothing found', async () => {
  expect(await run('search_pubmed', { query: 'zzyzx qwertz' })).toMatchObject({
    outcome: 'nothing_found',
    documents: [],
  });
});

test('every note is found by its own title on each of its shelves, and fetched with its whole text', async () => {
  for (const note of file.notes) {
    for (const shelf of note.shelves) {
      const hits = bundledLibrary().search(shelf, note.title);
      expect(hits[0]?.url).toBe(file.source + note.id);
    }
    const { documents } = await run('fetch_page', { url: file.source + note.id });
    for (const part of note.body) expect(documents[0]?.excerpt).toContain(part);
  }
});

test('the retracted and the withdrawn example are marked', async () => {
  expect((await run('fetch_page', { url: `${file.source}retracted-example` })).text).toContain(
    '\nRETRACTED: ',
  );
  expect((await run('fetch_page', { url: `${file.source}withdrawn-example/` })).text).toContain(
    '\nWITHDRAWN: ',
  );
});

test('other pages are not fetched', async () => {
  expect(await run('fetch_page', { url: 'https://arxiv.org/abs/2502.18864' })).toMatchObject({
    failureKind: 'not_found',
  });
});

test('the set is 24 notes and more, on the reserved domain, dated, and says what it is', () => {
  expect(file.notes.length).toBeGreaterThanOrEqual(24);
  expect(new URL(file.source).hostname).toBe('example.org'); // RFC 2606
  expect(new Set(file.notes.map(({ id }) => id)).size).toBe(file.notes.length);
  for (const note of file.notes) {
    expect(note.title).toMatch(/\(practice note\)$/);
    expect(note.published).toMatch(/^2026-\d\d-\d\d$/);
  }
  expect(file.notice).toContain('not published papers');
});

test('no note names an answer of a gold set', () => {
  const text = JSON.stringify(file.notes)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ');
  const goldSets = catalogue([]).goldSets.map(findGoldSet);
  const names = goldSets.flatMap(({ entities }) =>
    entities.flatMap(({ name, aliases }) => [name, ...aliases]),
  );
  expect(names.length).toBeGreaterThanOrEqual(20);
  for (const name of names)
    expect(` ${text} `).not.toContain(` ${name.toLowerCase().replace(/[^a-z0-9]+/g, ' ')} `);
});
