import { LLMock } from '@copilotkit/aimock';
import { asJson, type Reply } from '../../doubles/literature-double';
import { type LiteratureBench, openLiteratureBench } from './literature-bench';

test('without a service the tool is not offered, and why is said', async () => {
  const bench = await openLiteratureBench();
  expect(bench.gateway.find('live', 'search_web')).toBeNull();
  expect(bench.gateway.offer('live')).toEqual({
    tools: ['search_pubmed', 'search_arxiv', 'search_europe_pmc', 'fetch_page'],
    absent: [
      { tool: 'search_web', reason: 'none of TAVILY_API_KEY, BRAVE_API_KEY and SEARXNG_BASE_URL is set' },
    ],
  });
  await bench.close();
});

describe('Tavily, as aimock speaks it', () => {
  const mock = new LLMock({ port: 0 });
  let bench: LiteratureBench;
  beforeAll(async () => {
    await mock.start();
    bench = await openLiteratureBench({ env: { TAVILY_API_KEY: 'tvly-secret', TAVILY_BASE_URL: mock.url } });
  });
  afterAll(async () => {
    await bench.close();
    await mock.stop();
  });

  test('hits come with address, title and snippet; two addresses of one paper are one document', async () => {
    mock.onSearch('stem cells', [
      { title: 'A paper', url: 'https://arxiv.org/abs/2301.00001', content: 'Cut <b>text</b>', score: 0.9 },
      { title: 'The same', url: 'https://arxiv.org/pdf/2301.00001v2', content: 'Other cut', score: 0.8 },
      {
        title: 'RETRACTED: Another',
        url: 'https://example.org/x?utm_source=a',
        content: 'Third',
        score: 0.7,
      },
      { title: 'No page', url: 'javascript:alert(1)', content: 'Fourth', score: 0.6 },
    ]);
    const { outcome, documents } = await bench.run('search_web', { query: 'stem cells' });
    expect(outcome).toBe('found');
    expect(documents.map(({ canonicalUrl, flags }) => [canonicalUrl, flags])).toEqual([
      ['https://arxiv.org/abs/2301.00001', []],
      ['https://example.org/x', ['retracted']],
    ]);
    expect(documents[0]?.excerpt).toBe('Cut ‹b>text‹/b>');
  });

  test('an empty list of results is nothing found', async () => {
    expect(await bench.run('search_web', { query: 'no such fixture' })).toMatchObject({
      outcome: 'nothing_found',
    });
  });
});

describe.each([
  ['Tavily', { TAVILY_API_KEY: 'sec-ret-1' }, '/tavily/search', { results: [] }],
  ['Brave', { BRAVE_API_KEY: 'sec-ret-1' }, '/brave/web/search', { type: 'search', query: {} }],
  [
    'SearXNG',
    { SEARXNG_BASE_URL: 'DOUBLE/searx/' },
    '/searx/search',
    { query: 'x', results: [], unresponsive_engines: [] },
  ],
] as [string, Record<string, string>, string, object][])('%s', (name, env, path, empty) => {
  let bench: LiteratureBench;
  beforeAll(async () => {
    bench = await openLiteratureBench({ env });
  });
  afterAll(() => bench.close());
  beforeEach(() => bench.forget());

  test('a well-formed empty answer is nothing found', async () => {
    bench.double.answer(path, asJson(empty));
    expect(await bench.run('search_web', { query: 'x' })).toMatchObject({
      outcome: 'nothing_found',
      documents: [],
    });
  });

  const failures: Record<string, [string, Reply, string][]> = {
    Tavily: [
      [
        '401',
        asJson({ detail: { error: 'Unauthorized: missing or invalid API key sec-ret-1.' } }, 401),
        'unauthorized',
      ],
      ['429', asJson({ detail: { error: 'Your request has been blocked' } }, 429), 'rate_limited'],
      ['432, the plan is used up', asJson({ detail: { error: 'limit' } }, 432), 'quota'],
      ['433, the money is used up', asJson({ detail: { error: 'limit' } }, 433), 'quota'],
      ['400 with its reason', asJson({ detail: { error: 'Query is too long.' } }, 400), 'bad_query'],
    ],
    Brave: [
      [
        '422, which is an invalid token',
        asJson({ error: { code: 'SUBSCRIPTION_TOKEN_INVALID' } }, 422),
        'unauthorized',
      ],
      ['429 that passes', asJson({ error: { code: 'RATE_LIMITED' } }, 429), 'rate_limited'],
      ['429 that stays', asJson({ error: { code: 'QUOTA_LIMITED' } }, 429), 'quota'],
      ['422 of a bad query', asJson({ error: { code: 'VALIDATION' } }, 422), 'bad_query'],
    ],
    SearXNG: [
      ['403, JSON is not enabled', { status: 403, body: 'Forbidden' }, 'unauthorized'],
      ['429', { status: 429 }, 'rate_limited'],
      [
        'no results because engines are down',
        asJson({ results: [], unresponsive_engines: [['brave', 'timeout']] }),
        'server_error',
      ],
    ],
  };
  test.each([
    ...(failures[name] ?? []),
    ['another shape', asJson({ hello: 1 }), 'unreadable'],
    ['HTML at 200', { body: '<html></html>' }, 'unreadable'],
    ['500', { status: 500 }, 'server_error'],
  ] as [string, Reply, string][])(
    '%s is a failure of its kind, without the key',
    async (_, reply, failureKind) => {
      bench.double.answer(path, reply);
      const answer = await bench.run('search_web', { query: 'x' });
      expect(answer).toMatchObject({ failureKind, documents: [] });
      expect(answer.text).not.toContain('sec-ret-1');
    },
  );

  test('the key travels in a header and in no address', async () => {
    bench.double.answer(path, asJson(empty));
    await bench.run('search_web', { query: 'leukemia cell' });
    const request = bench.double.requestsTo(path).at(-1)!;
    expect(request.query.toString()).not.toContain('sec-ret-1');
    const asked = name === 'Tavily' ? JSON.parse(request.body).query : request.query.get('q');
    expect(asked).toBe('leukemia cell');
    if (name === 'Tavily') expect(request.headers.authorization).toBe('Bearer sec-ret-1');
    if (name === 'Brave') expect(request.headers['x-subscription-token']).toBe('sec-ret-1');
  });
});

test('Brave: marks and entities in titles and snippets are read as text', async () => {
  const bench = await openLiteratureBench({ env: { BRAVE_API_KEY: 'k' } });
  const result = {
    url: 'https://example.org/a',
    title: 'A &amp; B',
    description: '<strong>Stem</strong> cells',
    page_age: '2024-05-06T00:00:00',
  };
  bench.double.answer('/brave/web/search', asJson({ type: 'search', web: { results: [result] } }));
  const { documents, text } = await bench.run('search_web', { query: 'x' });
  expect(documents[0]).toMatchObject({ title: 'A & B', excerpt: 'Stem cells' });
  expect(text).toContain('published 2024-05-06');
  await bench.close();
});
