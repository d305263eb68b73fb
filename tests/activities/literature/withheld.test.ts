import { NO_IDS } from '../../../activities/literature/findings';
import type { WithheldPaper } from '../../../activities/literature/source';
import { withheldCheck, withheldPapersOf } from '../../../activities/literature/withheld';
import { asHtml, asJson, asRedirect, asXml } from '../../doubles/literature-double';
import { type LiteratureBench, openLiteratureBench } from './literature-bench';

// The source of the presets' gold sets, as presets/gold-sets names it.
const source = {
  title: 'Towards an AI co-scientist',
  id: 'arXiv:2502.18864',
  url: 'https://arxiv.org/abs/2502.18864',
};
const papers = withheldPapersOf(source);

describe('what is the paper', () => {
  test('a gold set’s source is read into id and title', () => {
    expect(papers).toEqual([
      { doi: null, arxivId: '2502.18864', pmid: null, titles: ['Towards an AI co-scientist'] },
    ]);
  });

  const check = withheldCheck([
    ...papers,
    { doi: '10.1038/S41586-1', arxivId: null, pmid: '0042', titles: ['Leukemia'] },
  ]);
  test.each([
    'https://arxiv.org/abs/2502.18864',
    'http://export.arxiv.org/pdf/2502.18864v2',
    'arXiv:2502.18864v1',
    'https://doi.org/10.48550/arXiv.2502.18864',
    'https://www.alphaxiv.org/abs/2502.18864v1',
    'https://huggingface.co/papers/2502.18864',
    'https://example.org/?url=https%3A%2F%2Farxiv.org%2Fpdf%2F2502.18864',
    'https://www.nature.com/articles/10.1038%2Fs41586-1',
    'https://pubmed.ncbi.nlm.nih.gov/42/',
  ])('%s is', (url) => expect(check.matchesUrl(url)).toBe(true));

  test.each([
    'https://arxiv.org/abs/2502.18865',
    'https://example.org/12502.188645',
    'https://example.org/2502.188641',
    'https://example.org/10.1038/s41586-12',
    'https://pubmed.ncbi.nlm.nih.gov/421/',
    'https://example.org/page/42',
  ])('%s is not', (url) => expect(check.matchesUrl(url)).toBe(false));

  test.each([
    ['Towards an AI co-scientist', true],
    ['TOWARDS AN AI CO‐SCIENTIST.', true],
    ['[2502.18864] Towards an AI co-scientist | arXiv', true],
    ['Towards an AI', false],
    ['An AI co-scientist at work', false],
    ['Leukemia', true],
    ['Leukemia stem cells', false],
  ])('the title "%s": %j', (title, isIt) => expect(check.matchesTitle(title)).toBe(isIt));

  test('by ids: DOI and PMID in any spelling, the arXiv DOI', () => {
    expect(check.matchesIds({ ...NO_IDS, doi: '10.1038/s41586-1' })).toBe(true);
    expect(check.matchesIds({ ...NO_IDS, doi: '10.48550/arxiv.2502.18864' })).toBe(true);
    expect(check.matchesIds({ ...NO_IDS, pmid: '42' })).toBe(true);
    expect(check.matchesIds(NO_IDS)).toBe(false);
  });
});

describe('in the tools', () => {
  let bench: LiteratureBench;
  beforeAll(async () => {
    bench = await openLiteratureBench({ env: { SEARXNG_BASE_URL: 'DOUBLE/searx/' } });
  });
  afterAll(() => bench.close());
  beforeEach(() => bench.forget());
  const withheld: WithheldPaper[] = papers;
  const text = 'Words of a page. '.repeat(30);

  test('of 3 results 2 are withheld; it is counted and said, and nothing of them is shown', async () => {
    bench.double.answer(
      '/searx/search',
      asJson({
        results: [
          { url: 'https://arxiv.org/html/2502.18864v1', title: 'x', content: 'KEYWORD' },
          {
            url: 'https://blog.example.org/a',
            title: 'Reading "Towards an AI co-scientist"',
            content: 'KEYWORD',
          },
          { url: 'https://example.org/other', title: 'Another', content: 'Fine' },
        ],
      }),
    );
    const answer = await bench.run('search_web', { query: 'x' }, { withheld });
    expect(answer).toMatchObject({ outcome: 'found', withheldCount: 2, documents: [{ title: 'Another' }] });
    expect(answer.text).toContain('2 results withheld from this bench.');
    expect(answer.text).not.toMatch(/KEYWORD|co-scientist|18864/);
  });

  test('the cache is shared with a bench that withholds nothing: there all 3 are shown', async () => {
    bench.double.answer(
      '/searx/search',
      asJson({ results: [{ url: 'https://arxiv.org/abs/2502.18864', title: 'x', content: 'y' }] }),
    );
    const kept = await bench.run('search_web', { query: 'x' }, { withheld });
    expect(kept).toMatchObject({
      outcome: 'refused',
      failureKind: 'withheld',
      withheldCount: 1,
      documents: [],
    });
    expect(await bench.run('search_web', { query: 'x' })).toMatchObject({
      outcome: 'found',
      cached: true,
      withheldCount: 0,
    });
  });

  test.each([
    'https://arxiv.org/abs/2502.18864',
    'arXiv:2502.18864',
    'https://www.alphaxiv.org/abs/2502.18864',
  ])('fetching %s is refused without a request', async (url) => {
    const before = bench.double.requests.length;
    const answer = await bench.run('fetch_page', { url }, { withheld });
    expect(answer).toMatchObject({
      outcome: 'refused',
      failureKind: 'withheld',
      withheldCount: 1,
      documents: [],
    });
    expect(bench.double.requests).toHaveLength(before);
  });

  test('a redirect to it is refused at that hop', async () => {
    bench.double.answer('/r', asRedirect('/mirror/2502.18864'));
    bench.double.answer('/mirror/2502.18864', asHtml(text));
    const answer = await bench.run('fetch_page', { url: `${bench.double.origin}/r` }, { withheld });
    expect(answer).toMatchObject({ failureKind: 'withheld' });
    expect(bench.double.requestsTo('/mirror/2502.18864')).toHaveLength(0);
  });

  test.each([
    [
      'title',
      `<html><head><title>Towards an AI co-scientist</title></head><body><article><p>${text}</p></article></body></html>`,
    ],
    [
      'declared title',
      `<html><head><title>PDF</title><meta name="citation_title" content="Towards an AI Co-Scientist"></head><body><article><p>${text}</p></article></body></html>`,
    ],
    [
      'opening',
      `<html><head><title>PDF</title></head><body><article><p>Google 2025. Towards an AI co-\nscientist. ${text}</p></article></body></html>`,
    ],
  ])(
    'a copy under another address is known by its %s, also when it was cached for another bench',
    async (_, html) => {
      bench.double.answer('/copy', asHtml(html));
      const url = `${bench.double.origin}/copy`;
      expect(await bench.run('fetch_page', { url })).toMatchObject({ outcome: 'found' });
      expect(await bench.run('fetch_page', { url }, { withheld })).toMatchObject({
        outcome: 'refused',
        failureKind: 'withheld',
        withheldCount: 1,
        documents: [],
      });
    },
  );

  test('a PubMed record of it is dropped by its title', async () => {
    bench.double.answer('/eutils/esearch.fcgi', asJson({ esearchresult: { count: '1', idlist: ['5'] } }));
    bench.double.answer(
      '/eutils/efetch.fcgi',
      asXml(
        '<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>5</PMID><Article><ArticleTitle>Towards an AI co-scientist.</ArticleTitle></Article></MedlineCitation></PubmedArticle></PubmedArticleSet>',
      ),
    );
    expect(await bench.run('search_pubmed', { query: 'x' }, { withheld })).toMatchObject({
      failureKind: 'withheld',
      documents: [],
    });
  });
});
