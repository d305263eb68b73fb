import {
  asHtml,
  asJson,
  asXml,
  type LiteratureDouble,
  startLiteratureDouble,
} from '../../doubles/literature-double';
import { runCli } from '../../scripts/run-cli';
import { createTestDatabase } from '../../stack/test-database';

let double: LiteratureDouble;
beforeAll(async () => {
  double = await startLiteratureDouble();
  double.answer('/eutils/esearch.fcgi', asJson({ esearchresult: { count: '1', idlist: ['5'] } }));
  double.answer(
    '/eutils/efetch.fcgi',
    asXml(
      '<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>5</PMID><Article><ArticleTitle>Made up</ArticleTitle></Article></MedlineCitation></PubmedArticle></PubmedArticleSet>',
    ),
  );
  double.answer('/', asHtml(`<p>${'secret of the inside '.repeat(30)}</p>`));
});
afterAll(() => double.close());

test('one search prints what a model would see, and ends with 0', async () => {
  const run = await runCli(['literature', 'pubmed', 'leukemia'], {
    PUBMED_BASE_URL: `${double.origin}/eutils/`,
  });
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.stdout).toContain('search_pubmed: 1 document found');
  expect(run.stdout).toContain('https://pubmed.ncbi.nlm.nih.gov/5/');
});

test('--json prints the whole answer as one object', async () => {
  const { stdout } = await runCli(['literature', 'pubmed', 'leukemia', '--json'], {
    PUBMED_BASE_URL: `${double.origin}/eutils/`,
  });
  expect(JSON.parse(stdout)).toMatchObject({
    outcome: 'found',
    cached: false,
    withheldCount: 0,
    documents: [{ ids: { pmid: '5' } }],
  });
});

test('with DATABASE_URL the second run is answered from the cache: 2 requests in all, not 4', async () => {
  const database = await createTestDatabase();
  const env = { PUBMED_BASE_URL: `${double.origin}/eutils/`, DATABASE_URL: database.workerUrl };
  const before = double.requests.length;
  const first = await runCli(['literature', 'pubmed', 'leukemia', '--json'], env);
  const second = await runCli(['literature', 'pubmed', ' leukemia ', '--json'], env);
  expect(JSON.parse(second.stdout)).toEqual({ ...JSON.parse(first.stdout), cached: true });
  expect(double.requests.length - before).toBe(2);
  await database.drop();
});

test('no setting of the environment opens private addresses to fetch_page', async () => {
  const env = Object.fromEntries(
    ['PUBMED', 'ARXIV', 'EUROPE_PMC', 'TAVILY', 'BRAVE', 'SEARXNG'].map((name) => [
      `${name}_BASE_URL`,
      double.origin,
    ]),
  );
  const run = await runCli(['literature', 'page', 'http://127.0.0.1/'], {
    ...env,
    HTTP_PROXY: double.origin,
  });
  expect(run.exitCode).toBe(1);
  expect(run.stdout).toBe(
    'fetch_page refused (refused_address): the address is not on the public internet.\n',
  );
  const ported = await runCli(['literature', 'page', `${double.origin}/`], env);
  expect(ported.stdout).toContain('fetch_page refused (bad_url)');
  expect(ported.stdout).not.toContain('secret');
  expect(double.requestsTo('/')).toHaveLength(0);
});

test('the bundled notes need neither network nor key nor database', async () => {
  const run = await runCli(['literature', 'web', 'iron in blasts', '--literature', 'bundled']);
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.stdout).toContain('https://example.org/co-scientist-bench/notes/iron-in-blasts');
});

test.each([
  [['literature', 'nowhere', 'x'], {}, 2, 'no literature source nowhere'],
  [['literature', 'pubmed'], {}, 2, 'nothing to ask for'],
  [['literature', 'pubmed', 'x', '--max-results', 'many'], {}, 2, 'not a whole number'],
  [['literature', 'web', 'x'], {}, 1, 'search_web is not available: none of TAVILY_API_KEY'],
  [
    ['literature', 'pubmed', 'x'],
    { LITERATURE_EMAIL: 'a b', NCBI_API_KEY: 'k\u00E9y' },
    2,
    'LITERATURE_EMAIL: not an e-mail address',
  ],
  [['literature', 'pubmed', 'x'], { DATABASE_URL: 'postgres://127.0.0.1:1/none' }, 1, 'does not answer'],
] as [string[], Record<string, string>, number, string][])(
  '%j ends with its cause and a remedy',
  async (args, env, exitCode, cause) => {
    const run = await runCli(args, env);
    expect(run.exitCode).toBe(exitCode);
    expect(run.stderr).toContain(cause);
    expect(run.stderr).toContain('\n  fix: ');
    expect(run.stderr).not.toContain('k\u00E9y');
  },
);

test('without a source it lists the five, and why one cannot be used', async () => {
  const { stdout } = await runCli(['literature']);
  expect(stdout.trim().split('\n')).toHaveLength(5);
  expect(stdout).toMatch(/^web +search_web +not available: none of/m);
});
