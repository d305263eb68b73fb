import { asHtml, asJson, asXml, type Reply } from '../../doubles/literature-double';
import { tinyPdf } from '../../doubles/tiny-pdf';
import { type LiteratureBench, openLiteratureBench } from './literature-bench';

/* Articles are fetched from the services that give them out to programs; all works here are made up. */
let bench: LiteratureBench;
const resolved: string[] = [];
beforeAll(async () => {
  bench = await openLiteratureBench({
    resolve: async (hostname) => {
      resolved.push(hostname);
      return [{ address: '127.0.0.1', family: 4 }];
    },
  });
});
afterAll(() => bench.close());
beforeEach(() => bench.forget());

const fetchPage = (url: string) => bench.run('fetch_page', { url });

describe('PubMed', () => {
  const record = `<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>77</PMID><Article><ArticleTitle>Made up.</ArticleTitle><Abstract><AbstractText>Text.</AbstractText></Abstract><PublicationTypeList><PublicationType UI="D016441">Retracted Publication</PublicationType></PublicationTypeList></Article></MedlineCitation><PubmedData><ArticleIdList><ArticleId IdType="pmc">PMC5</ArticleId></ArticleIdList></PubmedData></PubmedArticle></PubmedArticleSet>`;

  test.each([
    'https://pubmed.ncbi.nlm.nih.gov/77/',
    'http://www.ncbi.nlm.nih.gov/pubmed/77',
    'PMID: 77',
    'https://europepmc.org/article/MED/77',
  ])('%s gives the record, with its retraction, and no web page is asked', async (url) => {
    bench.double.answer('/eutils/efetch.fcgi', asXml(record));
    const { documents, text } = await fetchPage(url);
    expect(documents[0]).toMatchObject({
      flags: ['retracted'],
      canonicalUrl: 'https://pubmed.ncbi.nlm.nih.gov/77',
    });
    expect(text).toContain('fetch_page https://europepmc.org/article/PMC/PMC5');
    expect(resolved).toEqual([]);
  });

  test.each([
    ['an empty set', asXml('<PubmedArticleSet></PubmedArticleSet>')],
    ['status 400', { status: 400, body: '' }],
    ['another record', asXml(record.replace('<PMID>77<', '<PMID>78<'))],
  ] as [string, Reply][])('%s means that there is no such record', async (_, reply) => {
    bench.double.answer('/eutils/efetch.fcgi', reply);
    expect(await fetchPage('PMID: 77')).toMatchObject({ outcome: 'failed', failureKind: 'not_found' });
  });
});

describe('arXiv', () => {
  const feed = (comment = '') =>
    asXml(
      `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:o="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom"><title>q</title><o:totalResults>1</o:totalResults><entry><id>http://arxiv.org/abs/2301.00001v3</id><title>Made up</title><summary>The abstract.</summary><published>2023-01-01T00:00:00Z</published>${comment}</entry></feed>`,
    );
  const pdf = tinyPdf([['(The full text of the paper has more than twenty-five characters.)']]);

  test('/abs/ gives the abstract and says where the paper is; the id is asked for without version', async () => {
    bench.double.answer('/arxiv/api/query', feed());
    const { outcome, documents, text } = await fetchPage('https://arxiv.org/abs/2301.00001v1');
    expect(outcome).toBe('found');
    expect(documents[0]?.excerpt).toBe('The abstract.');
    expect(text).toContain('fetch_page https://arxiv.org/pdf/2301.00001');
    expect(bench.double.requestsTo('/arxiv/api/query').at(-1)?.query.get('id_list')).toBe('2301.00001');
  });

  test('/pdf/ of version 1 gives the text of version 1 and names the latest, 3; both requests have a turn', async () => {
    bench.double.answer('/arxiv/api/query', feed());
    bench.double.answer('/arxiv/pdf/2301.00001v1', {
      headers: { 'content-type': 'application/pdf' },
      body: pdf,
    });
    bench.turns.length = 0;
    const { documents, text } = await fetchPage('https://arxiv.org/pdf/2301.00001v1');
    expect(documents[0]?.excerpt).toContain('The full text of the paper');
    expect(text).toContain('Full text of version 1; the latest is 3.');
    expect(bench.turns.map(({ leaseMs }) => leaseMs)).toEqual([30_000, 30_000]);
  });

  test('the abstract in the cache is not given out as the paper', async () => {
    bench.double.answer('/arxiv/api/query', feed());
    bench.double.answer('/arxiv/pdf/2301.00001v3', { body: pdf });
    await fetchPage('https://arxiv.org/abs/2301.00001');
    expect((await fetchPage('https://arxiv.org/pdf/2301.00001')).documents[0]?.excerpt).toContain(
      'The full text',
    );
  });

  test.each([
    ['404', { status: 404 }],
    ['a page of HTML', asHtml('<html><body>No PDF</body></html>')],
  ] as [string, Reply][])(
    'a withdrawn paper whose PDF gives %s is its abstract, marked, and part found',
    async (_, reply) => {
      bench.double.answer(
        '/arxiv/api/query',
        feed('<arxiv:comment>This paper has been withdrawn by the author</arxiv:comment>'),
      );
      bench.double.answer('/arxiv/pdf/2301.00001v3', reply);
      const answer = await fetchPage('https://arxiv.org/pdf/2301.00001');
      expect(answer).toMatchObject({
        outcome: 'part_found',
        documents: [{ flags: ['preprint', 'withdrawn'] }],
      });
      expect(answer.text).toContain('Abstract only');
    },
  );

  test('an id that arXiv drops silently is not found', async () => {
    bench.double.answer(
      '/arxiv/api/query',
      asXml(
        '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:o="http://a9.com/-/spec/opensearch/1.1/"><o:totalResults>0</o:totalResults></feed>',
      ),
    );
    expect(await fetchPage('arXiv:2301.99999')).toMatchObject({ failureKind: 'not_found' });
  });
});

describe('Europe PMC', () => {
  const record = {
    id: '9',
    source: 'MED',
    pmid: '9',
    pmcid: 'PMC5',
    doi: '10.1234/x',
    title: 'Made up',
    abstractText: 'The abstract.',
    isOpenAccess: 'Y',
    pubTypeList: { pubType: ['retracted publication'] },
  };
  const found = (...result: unknown[]) =>
    asJson({ version: '6.9', hitCount: result.length, resultList: { result } });
  const jats = `<?xml version="1.0"?><!DOCTYPE article PUBLIC "-//NLM//DTD JATS" "x.dtd"><article xmlns:xlink="http://www.w3.org/1999/xlink"><front><article-meta><abstract><p>Short.</p></abstract></article-meta></front><body><p>Before.</p><sec><title>Results</title><p>We saw 10<sup>5</sup> cells <xref>1</xref>.</p><sec><title>Flow</title><p>Gates.</p><table-wrap><caption><p>Table of doses</p></caption><table><tbody><tr><td>A</td><td>1 mg</td></tr></tbody></table></table-wrap></sec></sec></body><back><ref-list><ref><mixed-citation>Other paper</mixed-citation></ref></ref-list></back></article>`;

  test.each([
    'https://pmc.ncbi.nlm.nih.gov/articles/PMC5/',
    'PMC5',
    'https://europepmc.org/article/PMC/PMC5',
  ])(
    '%s gives the open full text with headings, tables and the mark of retraction, without references',
    async (url) => {
      bench.double.answer('/europepmc/search', found(record));
      bench.double.answer('/europepmc/PMC5/fullTextXML', asXml(jats));
      const { outcome, documents, text } = await fetchPage(url);
      expect(outcome).toBe('found');
      expect(documents[0]?.flags).toEqual(['retracted']);
      expect(documents[0]?.excerpt).toBe(
        'Abstract: Short.\n\nBefore.\n\nResults: We saw 10⁵ cells 1.\n\nResults – Flow: Gates.\nTable of doses\nA | 1 mg',
      );
      expect(text).toContain('Open full text.');
      expect(bench.double.requestsTo('/europepmc/search').at(-1)?.query.get('query')).toBe('PMCID:PMC5');
    },
  );

  test.each([
    ['404', { status: 404 }],
    ['an article without body, which is how a publisher forbids it', asXml('<article><front/></article>')],
  ] as [string, Reply][])(
    'full text that gives %s leaves the abstract, and is part found',
    async (_, reply) => {
      bench.double.answer('/europepmc/search', found(record));
      bench.double.answer('/europepmc/PMC5/fullTextXML', reply);
      const answer = await fetchPage('PMC5');
      expect(answer).toMatchObject({ outcome: 'part_found', documents: [{ excerpt: 'The abstract.' }] });
      expect(answer.text).toContain('Abstract only: there is no open full text.');
    },
  );

  test('of a formula or table in several forms the readable one is read, once', async () => {
    const tex = '<tex-math>$$10^{5}$$</tex-math>';
    const power =
      '<m:math><m:msup><m:mn>10</m:mn><m:mn>5</m:mn></m:msup></m:math><inline-graphic xlink:href="x.gif"/>';
    const table =
      '<graphic xlink:href="t.jpg"/><table><tbody><tr><td>A</td><td>1 mg</td></tr></tbody></table>';
    const body = `<p>With <inline-formula><alternatives>${tex}${power}</alternatives></inline-formula> cells.</p><disp-formula><alternatives>${power}${tex}</alternatives></disp-formula><table-wrap><caption><p>Doses</p></caption><alternatives>${table}</alternatives></table-wrap>`;
    const names = 'xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:m="http://www.w3.org/1998/Math/MathML"';
    bench.double.answer('/europepmc/search', found({ ...record, id: '6', pmid: '6', pmcid: 'PMC6' }));
    bench.double.answer(
      '/europepmc/PMC6/fullTextXML',
      asXml(`<article ${names}><body>${body}</body></article>`),
    );
    const { documents } = await fetchPage('PMC6');
    expect(documents[0]?.excerpt).toBe('With 10⁵ cells.\n10⁵\nDoses\nA | 1 mg');
  });

  test('what is not open is not asked for', async () => {
    bench.double.answer('/europepmc/search', found({ ...record, isOpenAccess: 'N' }));
    const before = bench.double.requestsTo('/europepmc/PMC5/fullTextXML').length;
    expect(await fetchPage('PMC5')).toMatchObject({ outcome: 'part_found' });
    expect(bench.double.requestsTo('/europepmc/PMC5/fullTextXML')).toHaveLength(before);
  });

  test('a cut full text is a failure, not a shorter paper', async () => {
    bench.double.answer('/europepmc/search', found(record));
    bench.double.answer('/europepmc/PMC5/fullTextXML', asXml(jats.slice(0, 400)));
    expect(await fetchPage('PMC5')).toMatchObject({
      outcome: 'failed',
      failureKind: 'unreadable',
      documents: [],
    });
  });

  test('a preprint is asked for by its id', async () => {
    bench.double.answer(
      '/europepmc/search',
      found({ id: 'PPR8', source: 'PPR', title: 'P', abstractText: 'A.' }),
    );
    expect((await fetchPage('https://europepmc.org/article/PPR/PPR8')).documents[0]?.flags).toEqual([
      'preprint',
    ]);
    expect(bench.double.requestsTo('/europepmc/search').at(-1)?.query.get('query')).toBe(
      'EXT_ID:PPR8 AND SRC:PPR',
    );
  });

  test('a DOI is looked up first, so that a retraction is seen; one that is unknown goes to its web page', async () => {
    resolved.length = 0;
    bench.double.answer('/europepmc/search', found(record));
    bench.double.answer('/europepmc/PMC5/fullTextXML', asXml(jats));
    expect((await fetchPage('https://doi.org/10.1234/X')).documents[0]?.flags).toEqual(['retracted']);
    expect(bench.double.requestsTo('/europepmc/search').at(-1)?.query.get('query')).toBe('DOI:"10.1234/x"');
    expect(resolved).toEqual([]);
    bench.double.answer('/europepmc/search', found());
    expect(await fetchPage('doi:10.1234/unknown')).toMatchObject({ failureKind: 'refused_address' });
    expect(new Set(resolved)).toEqual(new Set(['doi.org']));
  });
});
