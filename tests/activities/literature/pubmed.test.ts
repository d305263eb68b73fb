import { asJson, asXml, type Reply } from '../../doubles/literature-double';
import { type LiteratureBench, openLiteratureBench } from './literature-bench';

/*
 * Answers in the shapes that NCBI documents for E-utilities (dtd pubmed_190101, esearch JSON) and that maintainers'
 * threads record; all works in them are made up.
 */
const SEARCH = '/eutils/esearch.fcgi';
const FETCH = '/eutils/efetch.fcgi';

let bench: LiteratureBench;
beforeAll(async () => {
  bench = await openLiteratureBench({
    env: { LITERATURE_EMAIL: 'lab@example.org', NCBI_API_KEY: 'k3y0123456789' },
  });
});
afterAll(() => bench.close());
beforeEach(() => bench.forget());

function hits(ids: string[], more: Record<string, unknown> = {}): Reply {
  return asJson({
    header: { type: 'esearch', version: '0.3' },
    esearchresult: {
      count: String(ids.length),
      retmax: String(ids.length),
      retstart: '0',
      idlist: ids,
      translationset: [],
      querytranslation: '"leukemia"[All Fields]',
      ...more,
    },
  });
}

function set(...records: string[]): Reply {
  return asXml(
    `<?xml version="1.0" ?>\n<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2019//EN" "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_190101.dtd">\n<PubmedArticleSet>${records.join('')}</PubmedArticleSet>`,
  );
}

interface ArticleParts {
  title?: string;
  abstract?: string;
  date?: string;
  types?: string;
  links?: string;
  authors?: string;
  ids?: string;
  elocation?: string;
  references?: string;
}

function article(pmid: string, parts: ArticleParts = {}): string {
  return `<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM"><PMID Version="1">${pmid}</PMID>
    <Article PubModel="Print"><Journal><JournalIssue CitedMedium="Internet"><PubDate>${parts.date ?? '<Year>2020</Year><Month>Mar</Month>'}</PubDate></JournalIssue><Title>Journal of made-up results</Title></Journal>
    <ArticleTitle>${parts.title ?? 'A title.'}</ArticleTitle>${parts.elocation ?? ''}
    ${parts.abstract === undefined ? '<Abstract><AbstractText>Plain text.</AbstractText></Abstract>' : parts.abstract}
    ${parts.authors ?? '<AuthorList CompleteYN="Y"><Author ValidYN="Y"><LastName>Doe</LastName><ForeName>Ann</ForeName></Author></AuthorList>'}
    <Language>eng</Language><PublicationTypeList>${parts.types ?? '<PublicationType UI="D016428">Journal Article</PublicationType>'}</PublicationTypeList></Article>
    <CommentsCorrectionsList>${parts.links ?? ''}</CommentsCorrectionsList></MedlineCitation>
    <PubmedData>${parts.references ?? ''}<ArticleIdList><ArticleId IdType="pubmed">${pmid}</ArticleId>${parts.ids ?? ''}</ArticleIdList></PubmedData></PubmedArticle>`;
}

function answerWith(ids: string[], ...records: string[]): void {
  bench.double.answer(SEARCH, hits(ids));
  bench.double.answer(FETCH, set(...records));
}

describe('a search that finds', () => {
  test('asks twice (search, records), each in a turn of its own, with tool, e-mail and key', async () => {
    answerWith(['11'], article('11'));
    bench.turns.length = 0;
    await bench.run('search_pubmed', { query: '  leukemia \n stem cell ', maxResults: 3, fromYear: 2019 });
    expect(bench.turns).toHaveLength(2);
    const [search] = bench.double.requestsTo(SEARCH).slice(-1);
    const [fetch] = bench.double.requestsTo(FETCH).slice(-1);
    expect(Object.fromEntries(search!.query)).toEqual({
      db: 'pubmed',
      term: 'leukemia stem cell',
      retmode: 'json',
      retmax: '3',
      sort: 'relevance',
      datetype: 'pdat',
      mindate: '2019',
      maxdate: '3000',
      tool: 'co-scientist-bench',
      email: 'lab@example.org',
      api_key: 'k3y0123456789',
    });
    expect(Object.fromEntries(fetch!.query)).toMatchObject({
      id: '11',
      retmode: 'xml',
      tool: 'co-scientist-bench',
    });
  });

  test('the limiter of a key is not that of the address, and does not hold the key', () => {
    expect(bench.turns[0]?.host).toMatch(/^127\.0\.0\.1:\d+#[0-9a-f]{8}$/);
    expect(JSON.stringify(bench.turns)).not.toContain('k3y0123456789');
  });

  test('a structured abstract keeps its labels, not the NLM categories', async () => {
    answerWith(
      ['11'],
      article('11', {
        abstract:
          '<Abstract><AbstractText Label="AIM" NlmCategory="OBJECTIVE">To look.</AbstractText><AbstractText Label="FINDINGS" NlmCategory="RESULTS">We saw.</AbstractText><AbstractText>Unlabelled.</AbstractText></Abstract>',
      }),
    );
    const { text, documents } = await bench.run('search_pubmed', { query: 'x' });
    expect(documents[0]?.excerpt).toBe('AIM: To look.\n\nFINDINGS: We saw.\n\nUnlabelled.');
    expect(text).not.toContain('OBJECTIVE');
  });

  test('mixed content is read in document order: Cu2O, kg m⁻², 10⁵ and α-cells stay whole', async () => {
    answerWith(
      ['11'],
      article('11', {
        title: 'Effect of <i>Cu</i><sub>2</sub>O on <b>α</b>-cells',
        abstract:
          '<Abstract><AbstractText>At 3 kg m<sup>−2</sup> and 10<sup>5</sup> cells &#181;l, <i>p</i> &lt; 0.05.</AbstractText></Abstract>',
      }),
    );
    const { documents } = await bench.run('search_pubmed', { query: 'x' });
    expect(documents[0]?.title).toBe('Effect of Cu2O on α-cells');
    expect(documents[0]?.excerpt).toBe('At 3 kg m⁻² and 10⁵ cells µl, p < 0.05.');
  });

  test.each([
    ['<Year>2020</Year><Month>Mar</Month><Day>5</Day>', 'published 2020-03-05'],
    ['<Year>2020</Year><Season>Winter</Season>', 'published 2020'],
    ['<MedlineDate>1998 Dec-1999 Jan</MedlineDate>', 'published 1998'],
    ['<Year>2020</Year><Month>13</Month>', 'published 2020'],
    ['', 'date unknown'],
  ])('the date %s is shown as "%s"', async (date, shown) => {
    answerWith(['11'], article('11', { date }));
    const { text } = await bench.run('search_pubmed', { query: 'x' });
    expect(text.split('\n').find((line) => line.startsWith('PMID 11'))).toBe(`PMID 11 · ${shown}`);
  });

  test('a record without abstract says so, and its excerpt is empty', async () => {
    answerWith(['11'], article('11', { abstract: '' }));
    const answer = await bench.run('search_pubmed', { query: 'x' });
    expect(answer.outcome).toBe('found');
    expect(answer.documents[0]?.excerpt).toBe('');
    expect(answer.text).toContain('(the record has no text)');
  });

  test('ids come from the record alone, not from the papers it cites', async () => {
    const references =
      '<ReferenceList><Reference><ArticleIdList><ArticleId IdType="doi">10.9999/other</ArticleId><ArticleId IdType="pmc">PMC99</ArticleId></ArticleIdList></Reference></ReferenceList>';
    answerWith(
      ['11', '12'],
      article('11', { references }),
      article('12', {
        references,
        ids: '<ArticleId IdType="doi">10.1234/OWN</ArticleId><ArticleId IdType="pmc">PMC0042</ArticleId>',
      }),
    );
    const { documents } = await bench.run('search_pubmed', { query: 'x' });
    expect(documents.map(({ ids }) => ids)).toEqual([
      { doi: null, pmid: '11', pmcid: null, arxivId: null },
      { doi: '10.1234/own', pmid: '12', pmcid: 'PMC42', arxivId: null },
    ]);
    expect(documents[1]?.canonicalUrl).toBe('https://doi.org/10.1234/own');
    expect(documents[1]?.alsoAt).toContain('https://pubmed.ncbi.nlm.nih.gov/12');
  });

  test('an electronic location with ValidYN="N" is no DOI; one with "Y" is', async () => {
    const location = (valid: string) =>
      `<ELocationID EIdType="doi" ValidYN="${valid}">10.1234/E.${valid}</ELocationID>`;
    answerWith(
      ['11', '12'],
      article('11', { elocation: location('N') }),
      article('12', { elocation: location('Y') }),
    );
    const { documents } = await bench.run('search_pubmed', { query: 'x' });
    expect(documents.map(({ ids }) => ids.doi)).toEqual([null, '10.1234/e.y']);
  });

  test('collective and personal authors are both named, corrected spellings are not', async () => {
    const authors =
      '<AuthorList><Author ValidYN="N"><LastName>Dow</LastName></Author><Author><LastName>Doe</LastName><ForeName>Ann B</ForeName><Suffix>Jr</Suffix></Author><Author><CollectiveName>The Made-up Group</CollectiveName></Author></AuthorList>';
    answerWith(['11'], article('11', { authors }));
    const { text } = await bench.run('search_pubmed', { query: 'x' });
    expect(text).toContain('> Ann B Doe Jr, The Made-up Group. Journal of made-up results');
  });

  test('a book chapter stands beside articles, dated by its revision and not by its series', async () => {
    const book = `<PubmedBookArticle><BookDocument><PMID>20301295</PMID><ArticleIdList><ArticleId IdType="bookaccession">NBK1</ArticleId></ArticleIdList><Book><BookTitle>Made-up reviews</BookTitle><PubDate><Year>1993</Year></PubDate><AuthorList Type="editors"><Author><LastName>Editor</LastName></Author></AuthorList></Book><ArticleTitle>A chapter</ArticleTitle><AuthorList Type="authors"><Author><LastName>Roe</LastName><ForeName>Jo</ForeName></Author></AuthorList><Abstract><AbstractText>Text.</AbstractText></Abstract><ContributionDate><Year>2003</Year></ContributionDate><DateRevised><Year>2022</Year><Month>6</Month><Day>9</Day></DateRevised></BookDocument></PubmedBookArticle>`;
    answerWith(['11', '20301295'], book, article('11'));
    const { documents, text } = await bench.run('search_pubmed', { query: 'x' });
    expect(documents.map(({ ids }) => ids.pmid)).toEqual(['11', '20301295']);
    expect(text).toContain('published 2022-06-09');
    expect(text).toContain('> Jo Roe. Made-up reviews');
  });

  test('what was searched, and words that PubMed dropped, are said', async () => {
    bench.double.answer(
      SEARCH,
      hits(['11'], {
        count: '4242',
        errorlist: { phrasesnotfound: ['floxacyclinib'], fieldsnotfound: [] },
        warninglist: { quotedphrasesnotfound: ['"no such phrase"'], phrasesignored: [], outputmessages: [] },
      }),
    );
    bench.double.answer(FETCH, set(article('11')));
    const { text } = await bench.run('search_pubmed', { query: 'leukemia floxacyclinib' });
    expect(text).toContain('1 document of 4242 found');
    expect(text).toContain('PubMed searched it as:\n> "leukemia"[All Fields]');
    expect(text).toContain('widens the search:\n> floxacyclinib');
    expect(text).toContain('> "no such phrase"');
  });
});

describe('marks', () => {
  const link = (type: string) =>
    `<CommentsCorrections RefType="${type}"><RefSource>J</RefSource></CommentsCorrections>`;
  test.each([
    [
      'its publication type alone',
      { types: '<PublicationType UI="D016441">Retracted Publication</PublicationType>' },
      ['retracted'],
    ],
    ['the link alone', { links: link('RetractionIn') }, ['retracted']],
    ['a partial retraction', { links: link('PartialRetractionIn') }, ['partly_retracted']],
    ['a concern', { links: link('ExpressionOfConcernIn') }, ['concern']],
    [
      'an old notice',
      {
        types: '<PublicationType UI="D016440">Retraction of Publication</PublicationType>',
        links: link('RetractionOf'),
      },
      ['notice'],
    ],
    [
      'a new notice',
      { types: '<PublicationType UI="D000099999">Retraction Notice</PublicationType>' },
      ['notice'],
    ],
    [
      'an erratum',
      {
        types: '<PublicationType UI="D016425">Published Erratum</PublicationType>',
        links: link('ErratumFor'),
      },
      ['notice'],
    ],
    ['a preprint', { types: '<PublicationType UI="D000076942">Preprint</PublicationType>' }, ['preprint']],
    ['"Retraction" in the title only', { title: 'Retraction of the nipple' }, []],
    ['a paper with a comment', { links: link('CommentIn') }, []],
  ] as [string, ArticleParts, string[]][])('%s is marked as what it is', async (_, parts, flags) => {
    answerWith(['11'], article('11', parts));
    const { documents, text } = await bench.run('search_pubmed', { query: 'x' });
    expect(documents[0]?.flags).toEqual(flags);
    expect(text.includes('\nRETRACTED: ')).toBe(flags.includes('retracted'));
    expect(text.includes('\nNOTICE: ')).toBe(flags.includes('notice'));
  });
});

describe('nothing, part and failure are told apart', () => {
  test('a count of 0 with an empty list is nothing found; no records are asked for', async () => {
    bench.double.answer(SEARCH, hits([], { querytranslation: 'x[All Fields]' }));
    const before = bench.double.requestsTo(FETCH).length;
    const answer = await bench.run('search_pubmed', { query: 'x' });
    expect(answer).toMatchObject({ outcome: 'nothing_found', documents: [] });
    expect(bench.double.requestsTo(FETCH)).toHaveLength(before);
  });

  test('records are matched by PMID; of three, the missing one is named', async () => {
    answerWith(
      ['11', '12', '13'],
      article('13'),
      article('11'),
      '<DeleteCitation><PMID>12</PMID></DeleteCitation>',
    );
    const answer = await bench.run('search_pubmed', { query: 'x' });
    expect(answer.outcome).toBe('part_found');
    expect(answer.documents.map(({ ids }) => ids.pmid)).toEqual(['11', '13']);
    expect(answer.text).toContain('Without record: PMID 12.');
  });

  const notJson =
    '{"header":{},"esearchresult":{"ERROR":"Search Backend failed: Exception:\n retstart is too large"}}';
  test.each([
    [
      'an ERROR field',
      asJson({ esearchresult: { ERROR: 'Empty term and query_key - nothing todo' } }),
      'refused',
      'bad_query',
    ],
    ['a top-level error', asJson({ error: 'Invalid db name specified: pubmedd' }), 'refused', 'bad_query'],
    [
      'an unknown key',
      asJson({ error: 'API key invalid', 'api-key': 'k3y0123456789' }, 400),
      'refused',
      'unauthorized',
    ],
    ['an error that is broken JSON', { body: notJson }, 'failed', 'server_error'],
    [
      'a backend that fails',
      asJson({ esearchresult: { ERROR: 'Search Backend failed: Database is not supported: pubmed' } }),
      'failed',
      'server_error',
    ],
    ['a page of HTML', { body: '<html><body>Down for maintenance</body></html>' }, 'failed', 'unreadable'],
    ['a list without count', asJson({ esearchresult: { idlist: [] } }), 'failed', 'unreadable'],
    ['a count without list', asJson({ esearchresult: { count: '7', idlist: [] } }), 'failed', 'unreadable'],
    ['an empty body', { body: '' }, 'failed', 'unreadable'],
    ['status 502', { status: 502, body: '<html>' }, 'failed', 'server_error'],
    [
      'a connection cut in the body',
      { body: '{"esearch', headers: { 'content-length': '500' }, fault: 'cut' },
      'failed',
      'network',
    ],
  ] as [string, Reply, string, string][])(
    'search: %s is a failure of its kind, not an empty list',
    async (_, reply, outcome, failureKind) => {
      bench.double.answer(SEARCH, reply);
      const answer = await bench.run('search_pubmed', { query: 'x' });
      expect(answer).toMatchObject({ outcome, failureKind, documents: [], cached: false });
      expect(answer.text).toContain(`search_pubmed ${outcome} (${failureKind})`);
      expect(answer.text).not.toContain('k3y0123456789');
    },
  );

  test.each([
    [
      'cut XML',
      asXml('<?xml version="1.0"?><PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>11</PMID>'),
    ],
    [
      'an ERROR element',
      asXml('<?xml version="1.0"?><eFetchResult><ERROR>Unable to obtain query #1</ERROR></eFetchResult>'),
    ],
    ['JSON', asJson({ hello: 1 })],
    ['HTML', { body: '<!doctype html><html><body><p>Hi<br></body></html>' }],
    ['an empty set', set()],
  ] as [string, Reply][])('records: %s is a failure', async (_, reply) => {
    bench.double.answer(SEARCH, hits(['11']));
    bench.double.answer(FETCH, reply);
    const answer = await bench.run('search_pubmed', { query: 'x' });
    expect(answer).toMatchObject({ outcome: 'failed', documents: [] });
  });

  test('a failure that passes is asked again: two bad answers, then the good one, 3 requests', async () => {
    const before = bench.double.requestsTo(SEARCH).length;
    bench.double.answer(SEARCH, [{ status: 500 }, { body: 'nonsense' }, hits(['11'])]);
    bench.double.answer(FETCH, set(article('11')));
    expect(await bench.run('search_pubmed', { query: 'x' })).toMatchObject({ outcome: 'found' });
    expect(bench.double.requestsTo(SEARCH).length - before).toBe(3);
  });

  test('a bad query is asked once only', async () => {
    const before = bench.double.requestsTo(SEARCH).length;
    bench.double.answer(SEARCH, asJson({ esearchresult: { ERROR: 'Empty term' } }));
    await bench.run('search_pubmed', { query: 'x' });
    expect(bench.double.requestsTo(SEARCH).length - before).toBe(1);
  });

  test('429 with Retry-After 2 leaves the host alone for 2,000 ms, for everyone, and is told after 3 tries', async () => {
    bench.quiet.length = 0;
    bench.double.answer(SEARCH, {
      status: 429,
      headers: { 'retry-after': '2' },
      body: '{"error":"API rate limit exceeded","api-key":"k3y0123456789","count":"4","limit":"3"}',
    });
    const answer = await bench.run('search_pubmed', { query: 'x' });
    expect(answer).toMatchObject({ outcome: 'refused', failureKind: 'rate_limited' });
    expect(bench.quiet.map(({ ms }) => ms)).toEqual([2000, 2000, 2000]);
    expect(answer.text).not.toContain('k3y');
  });

  test('a Retry-After of an hour ends the call after 1 request and keeps the host quiet for 15 s only', async () => {
    bench.quiet.length = 0;
    const before = bench.double.requestsTo(SEARCH).length;
    bench.double.answer(SEARCH, { status: 429, headers: { 'retry-after': '3600' } });
    expect(await bench.run('search_pubmed', { query: 'x' })).toMatchObject({ failureKind: 'rate_limited' });
    expect(bench.double.requestsTo(SEARCH).length - before).toBe(1);
    expect(bench.quiet.map(({ ms }) => ms)).toEqual([15_000]);
  });
});

describe('arguments', () => {
  test.each([
    [null],
    ['leukemia'],
    [{}],
    [{ query: '' }],
    [{ query: ' \u0000 ' }],

    [{ query: 'x', maxResults: 0 }],
    [{ query: 'x', maxResults: 11 }],
    [{ query: 'x', limit: 3 }],
    [{ query: 'x', fromYear: 'last' }],
  ])('%j are refused without a request', async (args) => {
    const before = bench.double.requests.length;
    expect(await bench.run('search_pubmed', args)).toMatchObject({
      outcome: 'refused',
      failureKind: 'bad_arguments',
    });
    expect(bench.double.requests).toHaveLength(before);
  });

  test('a query of 1,001 characters is refused', async () => {
    expect(await bench.run('search_pubmed', { query: 'x'.repeat(1001) })).toMatchObject({
      failureKind: 'bad_arguments',
    });
  });

  test('every problem is named at once', async () => {
    const { text } = await bench.run('search_pubmed', { maxResults: 99, sort: 'newest' });
    expect(text).toMatch(/query: .*maxResults: .*sort: /);
  });
});

describe('the cache', () => {
  test('the same question in another spelling asks nobody and gets the same documents', async () => {
    answerWith(['11'], article('11', { title: 'First' }));
    const first = await bench.run('search_pubmed', { query: 'stem  cell' });
    answerWith(['12'], article('12', { title: 'Second' }));
    const before = bench.double.requests.length;
    const again = await bench.run('search_pubmed', { maxResults: 5, query: ' stem cell' });
    expect(bench.double.requests).toHaveLength(before);
    expect(again).toEqual({ ...first, cached: true });
  });

  test('a failure is not remembered', async () => {
    bench.double.answer(SEARCH, asJson({ esearchresult: { ERROR: 'Empty term' } }));
    await bench.run('search_pubmed', { query: 'once' });
    answerWith(['11'], article('11'));
    expect(await bench.run('search_pubmed', { query: 'once' })).toMatchObject({
      outcome: 'found',
      cached: false,
    });
  });

  test('two candidates that ask at once both get the answer that was stored first', async () => {
    bench.double.answer(SEARCH, [{ ...hits(['11']), delayMs: 60 }, hits(['12'])]);
    bench.double.answer(FETCH, (request) => set(article(request.query.get('id') ?? '')));
    const [a, b] = await Promise.all([
      bench.run('search_pubmed', { query: 'race' }),
      bench.run('search_pubmed', { query: 'race' }),
    ]);
    expect(a?.documents).toEqual(b?.documents);
  });
});

test('a caller that gives up gets its own reason back, not an answer', async () => {
  bench.double.answer(SEARCH, { fault: 'silent' });
  const controller = new AbortController();
  const running = bench.run('search_pubmed', { query: 'x' }, { signal: controller.signal });
  setTimeout(() => controller.abort(new Error('worker shutdown')), 50);
  await expect(running).rejects.toThrow('worker shutdown');
});
