import { asJson, type Reply } from '../../doubles/literature-double';
import { type LiteratureBench, openLiteratureBench } from './literature-bench';

/* Answers in the shape of Europe PMC's Articles RESTful API, resultType=core; all works in them are made up. */
const SEARCH = '/europepmc/search';

let bench: LiteratureBench;
beforeAll(async () => {
  bench = await openLiteratureBench({ env: { LITERATURE_EMAIL: 'lab@example.org' } });
});
afterAll(() => bench.close());
beforeEach(() => bench.forget());

function results(records: unknown[], hitCount = records.length): Reply {
  return asJson({
    version: '6.9',
    hitCount,
    nextCursorMark: 'AoIIQ+/=',
    request: { queryString: 'x', resultType: 'core', cursorMark: '*', pageSize: 5 },
    resultList: { result: records },
  });
}

const paper = {
  id: '31000001',
  source: 'MED',
  pmid: '31000001',
  pmcid: 'PMC6000001',
  doi: '10.1234/ABC',
  title: 'Effect of Ca<sup>2+</sup> in <i>vivo</i>.',
  authorString: 'Doe A, Roe J.',
  authorList: { author: [{ fullName: 'Doe A' }, { collectiveName: 'Made-up Group' }] },
  journalInfo: { journal: { title: 'Journal of made-up results' } },
  pubYear: '2021',
  firstPublicationDate: '2021-04-05',
  abstractText:
    '<h4>Background</h4>This is p&lt;0.05 &amp; more.<h4>Methods</h4>Cells<sup>a</sup> were p<LOD.',
  isOpenAccess: 'Y',
  inEPMC: 'Y',
  pubTypeList: { pubType: ['research-article', 'Journal Article'] },
};

test('asks for core results as JSON, with the e-mail', async () => {
  bench.double.answer(SEARCH, results([paper]));
  await bench.run('search_europe_pmc', { query: 'TITLE:leukemia', sort: 'cited', maxResults: 2 });
  expect(Object.fromEntries(bench.double.requestsTo(SEARCH).at(-1)!.query)).toEqual({
    query: 'TITLE:leukemia',
    format: 'json',
    resultType: 'core',
    pageSize: '2',
    cursorMark: '*',
    sort: 'CITED desc',
    email: 'lab@example.org',
  });
});

test('headings in an abstract become labels; inline marks leave no gap; what only looks like a tag stays', async () => {
  bench.double.answer(SEARCH, results([paper], 9));
  const { documents, text } = await bench.run('search_europe_pmc', { query: 'x' });
  expect(documents[0]).toMatchObject({
    title: 'Effect of Ca²⁺ in vivo.',
    ids: { doi: '10.1234/abc', pmid: '31000001', pmcid: 'PMC6000001', arxivId: null },
    canonicalUrl: 'https://doi.org/10.1234/abc',
    flags: [],
  });
  // `p<LOD` stays, with the bracket made harmless.
  expect(documents[0]?.excerpt).toBe('Background: This is p<0.05 & more.\n\nMethods: Cells^a were p‹LOD.');
  expect(text).toContain('Open full text: fetch_page https://europepmc.org/article/PMC/PMC6000001');
  expect(text).toContain('1 document of 9 found');
  expect(text).toContain('> Doe A, Made-up Group. Journal of made-up results');
});

test('in Europe PMC but not open is not offered as open full text', async () => {
  bench.double.answer(SEARCH, results([{ ...paper, isOpenAccess: 'N' }]));
  expect((await bench.run('search_europe_pmc', { query: 'x' })).text).not.toContain('Open full text');
});

test('a preprint says so; it has neither PMID nor journal, and here no date and no abstract', async () => {
  bench.double.answer(
    SEARCH,
    results([{ id: 'PPR12345', source: 'PPR', doi: '10.1101/2020.1', title: 'P' }]),
  );
  const { documents, text } = await bench.run('search_europe_pmc', { query: 'x' });
  expect(documents[0]).toMatchObject({ flags: ['preprint'], excerpt: '', ids: { pmid: null } });
  expect(text).toContain('PREPRINT: not peer reviewed.');
  expect(text).toContain('date unknown');
});

test.each([
  ['a publication type', { pubTypeList: { pubType: ['Retracted Publication'] } }, ['retracted']],
  [
    'a type that is one string',
    { pubTypeList: undefined, pubType: 'retracted publication; journal article' },
    ['retracted'],
  ],
  ['a link', { commentCorrectionList: { commentCorrection: [{ type: 'Retraction in' }] } }, ['retracted']],
  [
    'a single link that is no list',
    { commentCorrectionList: { commentCorrection: { type: 'Expression of concern in' } } },
    ['concern'],
  ],
  [
    'a notice',
    {
      pubTypeList: { pubType: ['retraction of publication'] },
      commentCorrectionList: { commentCorrection: [{ type: 'Retraction of' }] },
    },
    ['notice'],
  ],
  ['a patent', { source: 'PAT', id: 'EP123' }, ['patent']],
  [
    'a preprint link of a paper',
    { commentCorrectionList: { commentCorrection: [{ type: 'Preprint in' }] } },
    [],
  ],
])('%s is marked as what it is', async (_, change, flags) => {
  bench.double.answer(SEARCH, results([{ ...paper, ...change }]));
  expect((await bench.run('search_europe_pmc', { query: 'x' })).documents[0]?.flags).toEqual(flags);
});

test('preprint and paper with one DOI are one document with both addresses', async () => {
  bench.double.answer(SEARCH, results([{ ...paper, pmid: undefined, id: 'PPR9', source: 'PPR' }, paper]));
  const { documents } = await bench.run('search_europe_pmc', { query: 'x' });
  expect(documents).toHaveLength(1);
  expect(documents[0]?.alsoAt).toEqual(
    expect.arrayContaining([
      'https://pubmed.ncbi.nlm.nih.gov/31000001',
      'https://europepmc.org/article/ppr/PPR9',
    ]),
  );
});

describe('nothing, part and failure are told apart', () => {
  test('a count of 0 with an empty list is nothing found', async () => {
    bench.double.answer(SEARCH, results([], 0));
    expect(await bench.run('search_europe_pmc', { query: 'x' })).toMatchObject({ outcome: 'nothing_found' });
  });

  test('a record that cannot be read makes it part found', async () => {
    bench.double.answer(SEARCH, results([paper, { title: 'no id' }, null]));
    const answer = await bench.run('search_europe_pmc', { query: 'x' });
    expect(answer).toMatchObject({ outcome: 'part_found' });
    expect(answer.text).toContain('2 of the records could not be read.');
  });

  test.each([
    ['an error with code 0', asJson({ errCode: 0, errMsg: 'Invalid query' }), 'bad_query'],
    [
      'an error bean',
      { body: '<errorBean><errCode>404</errCode><errMsg>Bad</errMsg></errorBean>' },
      'bad_query',
    ],
    ['a version alone, which a rejected parameter gives', asJson({ version: '6.9' }), 'unreadable'],
    ['a count without list', asJson({ hitCount: 3 }), 'unreadable'],
    ['a count of 3 with an empty list', results([], 3), 'unreadable'],
    ['XML where JSON was asked for', { body: '<?xml version="1.0"?><responseWrapper/>' }, 'unreadable'],
    ['status 500', { status: 500 }, 'server_error'],
  ] as [string, Reply, string][])('%s is a failure, not an empty list', async (_, reply, failureKind) => {
    bench.double.answer(SEARCH, reply);
    expect(await bench.run('search_europe_pmc', { query: 'x' })).toMatchObject({
      failureKind,
      documents: [],
    });
  });
});
