import fc from 'fast-check';
import { createLiteratureGateway, type LiteratureGateway } from '../../../activities/literature';
import type { LiteratureHttp } from '../../../activities/literature/literature-http';
import { literatureSettings } from '../../../activities/literature/literature-settings';
import { brokenJson } from '../../doubles/broken-json';

/* Good answers of each source, broken at random: whatever comes, a model is told something, and nothing is thrown. */

const PUBMED_RECORD =
  '<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>7</PMID><Article><Journal><Title>J</Title><JournalIssue><PubDate><Year>2021</Year><Month>Apr</Month></PubDate></JournalIssue></Journal><ArticleTitle>Cu<sub>2</sub>O</ArticleTitle><Abstract><AbstractText Label="AIM">To look.</AbstractText></Abstract><AuthorList><Author><LastName>Doe</LastName></Author></AuthorList><PublicationTypeList><PublicationType UI="D016441">Retracted Publication</PublicationType></PublicationTypeList></Article></MedlineCitation><PubmedData><ArticleIdList><ArticleId IdType="doi">10.1234/x</ArticleId></ArticleIdList></PubmedData></PubmedArticle></PubmedArticleSet>';
const ATOM =
  '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:o="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom"><title>search</title><o:totalResults>1</o:totalResults><entry><id>http://arxiv.org/abs/2502.18864v2</id><published>2025-02-26T00:00:00Z</published><title>T</title><summary>S</summary><author><name>A</name></author><arxiv:comment>c</arxiv:comment></entry></feed>';
const PUBMED_HITS = {
  esearchresult: { count: '1', retmax: '1', retstart: '0', idlist: ['7'], querytranslation: 'x' },
};
const EUROPE_PMC = {
  version: '6.9',
  hitCount: 1,
  resultList: {
    result: [
      {
        ...{
          id: '7',
          source: 'MED',
          pmid: '7',
          doi: '10.1234/x',
          title: 'T<i>i</i>',
          abstractText: '<h4>A</h4>b',
        },
        authorList: { author: [{ fullName: 'Doe A' }] },
        journalInfo: { journal: { title: 'J' } },
        pubTypeList: { pubType: ['Journal Article'] },
        commentCorrectionList: { commentCorrection: [{ type: 'Retraction in' }] },
      },
    ],
  },
};
const TAVILY = {
  query: 'x',
  results: [{ title: 'T', url: 'https://example.org/a', content: 'c', score: 0.5 }],
};

const settings = literatureSettings({ TAVILY_API_KEY: 'key' });
let reply: (url: string) => { status: number; text: string };
let gateway: LiteratureGateway;
const http: LiteratureHttp = {
  api: async ({ url }) => {
    const { status, text } = reply(url);
    return { status, header: () => null, bytes: Buffer.from(text), isCut: false };
  },
  web: () => Promise.reject(new Error('no web here')),
  isAllowedOrigin: () => false,
  close: async () => {},
};
beforeAll(() => {
  // Turns at once and nothing remembered: neither is what is tried here.
  const slots = { take: async () => ({ release: async () => {} }), defer: async () => {} };
  const cache = { get: async () => null, put: async (_: unknown, answer: unknown) => answer };
  gateway = createLiteratureGateway({ settings, http, slots, cache: cache as never });
});
afterAll(() => gateway.close());

async function run(tool: string): Promise<{ outcome: string; documents: unknown[] }> {
  const { signal } = new AbortController();
  return gateway.find('live', tool)!.run({ query: 'cells' }, gateway.open(signal, []));
}

/** The same XML with one element emptied, doubled, renamed or left out, or cut at one place. */
function brokenXml(good: string): fc.Arbitrary<string> {
  const names = [...new Set([...good.matchAll(/<([A-Za-z:]+)/g)].map(([, name]) => name!))];
  const pattern = (name: string) => new RegExp(`<${name}(?: [^>]*)?>.*?</${name}>`, 's');
  const change = fc.constantFrom('', 'twice', 'empty', 'words', 'cut');
  return fc.tuple(fc.constantFrom(...names), change, fc.nat(good.length)).map(([name, how, at]) => {
    if (how === 'cut') return good.slice(0, at);
    return good.replace(pattern(name), (whole) => {
      if (how === 'twice') return whole + whole;
      if (how === 'empty') return `<${name}/>`;
      return how === 'words' ? `<${name}>none of the kind</${name}>` : '';
    });
  });
}

const OUTCOMES = ['found', 'nothing_found', 'part_found', 'refused', 'failed'];

test.each<[string, fc.Arbitrary<string>, (url: string, broken: string) => string]>([
  [
    'search_pubmed',
    brokenJson(PUBMED_HITS),
    (url, broken) => (url.includes('esearch') ? broken : PUBMED_RECORD),
  ],
  [
    'search_pubmed',
    brokenXml(PUBMED_RECORD),
    (url, broken) => (url.includes('esearch') ? JSON.stringify(PUBMED_HITS) : broken),
  ],
  ['search_arxiv', brokenXml(ATOM), (_, broken) => broken],
  ['search_europe_pmc', brokenJson(EUROPE_PMC), (_, broken) => broken],
  ['search_web', brokenJson(TAVILY), (_, broken) => broken],
])(
  '%s makes an answer of whatever comes, with documents exactly where it says found',
  async (tool, broken, answer) => {
    const status = fc.constantFrom(200, 200, 200, 400, 404, 500);
    await fc.assert(
      fc.asyncProperty(broken, status, async (text, code) => {
        reply = (url) => ({ status: code, text: answer(url, text) });
        const { outcome, documents } = await run(tool);
        expect(OUTCOMES).toContain(outcome);
        expect(documents.length > 0).toBe(outcome === 'found' || outcome === 'part_found');
      }),
      { numRuns: 400, seed: 20261130 },
    );
  },
);
