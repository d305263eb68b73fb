import { createLiteratureGateway } from '../../activities/literature';
import { createLiteratureHttp } from '../../activities/literature/literature-http';
import { literatureSettings } from '../../activities/literature/literature-settings';
import { createMemoryCache } from '../../activities/literature/memory-cache';
import type { HostSlots } from '../../db/host-slots';
import { asJson, asXml, type LiteratureDouble, startLiteratureDouble } from '../doubles/literature-double';
import { type LlmDouble, startLlmDouble } from '../doubles/llm-double';
import { type BenchWorker, startBenchWorker } from './bench-worker';

const NO_WAITING: HostSlots = { take: async () => ({ release: async () => {} }), defer: async () => {} };

let llm: LlmDouble;
let library: LiteratureDouble;
let worker: BenchWorker;

beforeAll(async () => {
  [llm, library] = await Promise.all([startLlmDouble(), startLiteratureDouble()]);
  stockLibrary(library);
  const env = {
    PUBMED_BASE_URL: `${library.origin}/eutils/`,
    ARXIV_BASE_URL: `${library.origin}/arxiv/`,
    EUROPE_PMC_BASE_URL: `${library.origin}/epmc/`,
  };
  const literature = createLiteratureGateway({
    settings: literatureSettings(env),
    slots: NO_WAITING,
    cache: createMemoryCache(),
    http: createLiteratureHttp({ userAgent: 'test', allowedOrigins: [library.origin] }),
  });
  worker = await startBenchWorker({ literature }, llm.env);
});
afterAll(async () => {
  await worker.close();
  await Promise.all([llm.stop(), library.close()]);
});

/** One paper in each source: enough to be found, read and cited. */
function stockLibrary(double: LiteratureDouble): void {
  double.answer(
    '/eutils/esearch.fcgi',
    asJson({
      esearchresult: { count: '1', retmax: '1', retstart: '0', idlist: ['1'], querytranslation: 'x' },
    }),
  );
  double.answer(
    '/eutils/efetch.fcgi',
    asXml(
      '<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article><Journal><JournalIssue><PubDate>' +
        '<Year>2020</Year></PubDate></JournalIssue><Title>J</Title></Journal><ArticleTitle>Leukaemic stem cells' +
        '</ArticleTitle><Abstract><AbstractText>They rest.</AbstractText></Abstract></Article></MedlineCitation>' +
        '</PubmedArticle></PubmedArticleSet>',
    ),
  );
  double.answer(
    '/epmc/search',
    asJson({
      hitCount: 1,
      resultList: {
        result: [
          { id: '1', source: 'MED', pmid: '1', title: 'Leukaemic stem cells', abstractText: 'They rest.' },
        ],
      },
    }),
  );
  double.answer('/arxiv/api/query', { status: 503 });
}

test.each([
  ['paper', 4, 0, { goal: 'Find out why stem cells rest.' }],
  ['paper-aml', 4, 3, {}],
  ['paper-aml-vs-raw', 8, 3, {}],
  ['frontier-aml-vs-raw', 8, 3, {}],
])(
  'preset %s runs whole: every slot of its %i candidates has its end, every match its verdicts',
  async (preset, candidates, goldSetSize, input) => {
    const summary = await worker.run({ preset, ...input });
    const pairs = (candidates * (candidates - 1)) / 2;
    expect(summary).toMatchObject({ status: 'finished', simulated: false, judge: { invalid: 0 } });
    expect(summary.candidates).toHaveLength(candidates);
    for (const candidate of summary.candidates) {
      const lost = Object.values(candidate.failures).reduce((sum, n) => sum + n, 0);
      expect(candidate.nHypotheses + lost).toBe(4);
      expect(candidate.nHypotheses).toBeGreaterThan(0);
      expect(candidate.goldHits === null).toBe(goldSetSize === 0);
    }
    const { scheduled, played } = summary.matches;
    expect(scheduled).toBe(pairs * 2);
    expect(summary.judge.verdicts).toBe(played * 2);
    expect(summary.candidates.some(({ costUsd }) => costUsd > 0)).toBe(true);
    expect(summary.nUnknownCost).toBe(0);
    const tools = await worker.db
      .selectFrom('bench_tool_calls')
      .select('tool')
      .distinct()
      .where('bench_id', '=', summary.benchId)
      .execute();
    expect(tools.length).toBeGreaterThan(0);
  },
  120_000,
);

test('every request of these benches is a row of the ledger, and went to OpenRouter with its own key and no other', async () => {
  const { sent } = await worker.db
    .selectFrom('bench_llm_calls')
    .select((eb) => eb.fn.countAll<number>().as('sent'))
    .executeTakeFirstOrThrow();
  expect(llm.journal).toHaveLength(sent);
  for (const { path, headers } of llm.journal) {
    expect(path).toBe('/openrouter/api/v1/chat/completions');
    expect(headers.authorization).toBe('Bearer double-key-openrouter');
  }
});
