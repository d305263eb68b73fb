import { saysWithdrawn } from '../../../activities/literature/arxiv/arxiv-feed';
import { arxivQuery } from '../../../activities/literature/arxiv/arxiv-query';
import { asXml, type Reply } from '../../doubles/literature-double';
import { type LiteratureBench, openLiteratureBench } from './literature-bench';

/* Feeds in the shape of the arXiv API manual; all papers in them are made up. */
const QUERY = '/arxiv/api/query';

let bench: LiteratureBench;
beforeAll(async () => {
  bench = await openLiteratureBench();
});
afterAll(() => bench.close());
beforeEach(() => bench.forget());

function feed(entries: string[], total = entries.length, status = 200): Reply {
  return asXml(
    `<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns="http://www.w3.org/2005/Atom">
  <id>https://arxiv.org/api/abc</id><title>arXiv Query: search_query=all:ran&amp;id_list=</title>
  <opensearch:itemsPerPage>10</opensearch:itemsPerPage><opensearch:totalResults>${total}</opensearch:totalResults><opensearch:startIndex>0</opensearch:startIndex>
  ${entries.join('')}</feed>`,
    status,
  );
}

function entry(
  id: string,
  parts: { title?: string; summary?: string; comment?: string; more?: string } = {},
): string {
  return `<entry><id>http://arxiv.org/abs/${id}</id><title>${parts.title ?? 'A made-up\n  paper'}</title><updated>2024-02-02T10:00:00Z</updated>
    <summary>${parts.summary ?? 'We show\n  $x^2$.'}</summary><published>2023-01-01T10:00:00Z</published>
    <arxiv:primary_category term="q-bio.QM"/>${parts.comment ? `<arxiv:comment>${parts.comment}</arxiv:comment>` : ''}
    <author><name>Ann Doe</name><arxiv:affiliation>Nowhere</arxiv:affiliation></author><author><name>Jo Roe</name></author>${parts.more ?? ''}</entry>`;
}

describe('a query means what its words mean', () => {
  // By the manual's grammar; bare words joined by OR are what arXiv makes of them (notice of November 2025).
  test.each([
    ['attention mechanism', 'all:attention AND all:mechanism'],
    ['"leukemic stem cell" FLT3-ITD', 'all:"leukemic stem cell" AND all:FLT3-ITD'],
    ['ti:leukemia OR abs:"stem cell"', 'ti:leukemia OR abs:"stem cell"'],
    ['ti:leukemia blast', 'ti:leukemia AND all:blast'],
    ['(ti:a OR ti:b) ANDNOT cat:cs.LG', '(ti:a OR ti:b) ANDNOT cat:cs.LG'],
    ['a NOT b', 'all:a ANDNOT all:b'],
    ['ratio:5 growth', 'all:ratio AND all:5 AND all:growth'],
    [
      'submittedDate:[202301010000 TO 202401010000] leukemia',
      'submittedDate:[202301010000 TO 202401010000] AND all:leukemia',
    ],
    ['a - b', 'all:a AND all:b'],
  ])('%s → %s', (asked, sent) => expect(arxivQuery(asked)).toBe(sent));

  test.each(['AND a', 'a OR', '(a', 'a)', '()', 'ti:""'])('%s is refused before it is sent', (asked) =>
    expect(() => arxivQuery(asked)).toThrow('bad_query'),
  );
});

describe('withdrawn', () => {
  test.each([
    ['This paper has been withdrawn by the author due to an error in Lemma 2', 'We prove…', true],
    ['Withdrawn: superseded by another paper', 'We prove…', true],
    [
      'This submission has been withdrawn by arXiv administrators due to inappropriate text overlap',
      null,
      true,
    ],
    ['12 pages; the article was withdrawn', 'x', true],
    [null, 'This paper has been withdrawn because of a crucial error.', true],
    [null, 'The manuscript has been temporarily withdrawn by the authors.', true],
    [null, 'We revisit a withdrawn claim and show that it holds.', false],
    ['Replaces an earlier version', 'Drugs withdrawn from the market are studied.', false],
    ['10 pages, 3 figures', 'This paper studies cells withdrawn from marrow.', false],
    [null, 'Cash was withdrawn by the author of the study.', false],
    [null, null, false],
  ] as [string | null, string | null, boolean][])(
    'comment %j, summary %j: %j',
    (comment, summary, isWithdrawn) => {
      expect(saysWithdrawn(comment, summary)).toBe(isWithdrawn);
    },
  );

  test('is marked in the text and in the record', async () => {
    bench.double.answer(
      QUERY,
      feed([
        entry('2301.00001v3', { comment: 'This paper has been withdrawn by the authors' }),
        entry('2301.00002v1'),
      ]),
    );
    const { documents, text } = await bench.run('search_arxiv', { query: 'x' });
    expect(documents.map(({ flags }) => flags)).toEqual([['preprint', 'withdrawn'], ['preprint']]);
    expect(text.match(/^WITHDRAWN: /gm)).toHaveLength(1);
    expect(text.match(/^PREPRINT: /gm)).toHaveLength(2);
  });
});

test('a paper is shown with its version, dates of version 1, one-line title and LaTeX as it is', async () => {
  bench.double.answer(
    QUERY,
    feed(
      [
        entry('2301.00001v3', {
          more: '<arxiv:doi>10.1234/J.X</arxiv:doi><arxiv:journal_ref>J. Made Up 3 (2024)</arxiv:journal_ref>',
        }),
      ],
      77,
    ),
  );
  const { documents, text, outcome } = await bench.run('search_arxiv', { query: 'x', maxResults: 1 });
  expect(outcome).toBe('found');
  expect(documents[0]).toMatchObject({
    url: 'https://arxiv.org/abs/2301.00001v3',
    canonicalUrl: 'https://doi.org/10.1234/j.x',
    title: 'A made-up paper',
    ids: { doi: '10.1234/j.x', pmid: null, pmcid: null, arxivId: '2301.00001' },
    excerpt: 'We show $x^2$.',
  });
  expect(documents[0]?.alsoAt).toContain('https://arxiv.org/abs/2301.00001');
  expect(text).toContain('published 2023-01-01');
  expect(text).toContain('Version 3.');
  expect(text).toContain('1 document of 77 found');
  expect(text).toContain('> Ann Doe, Jo Roe. J. Made Up 3 (2024)');
  expect(text).toContain('arXiv ran:\n> arXiv Query: search_query=all:ran');
});

test('old ids and a paper titled "0" are read', async () => {
  bench.double.answer(QUERY, feed([entry('hep-th/9901001v2', { title: '0' })]));
  const { documents } = await bench.run('search_arxiv', { query: 'x' });
  expect(documents[0]).toMatchObject({ title: '0', ids: { arxivId: 'hep-th/9901001' } });
});

test('each request has a turn at a host with 1 connection and at least 3,000 ms between starts', async () => {
  bench.double.answer(QUERY, feed([entry('2301.00001v1')]));
  bench.turns.length = 0;
  await bench.run('search_arxiv', { query: 'x' });
  expect(bench.turns).toHaveLength(1);
  const turn = bench.turns[0]!;
  expect(turn.gapMs - turn.slackMs).toBeGreaterThanOrEqual(3000);
  expect(turn.leaseMs).toBeGreaterThan(20_000);
  const request = bench.double.requestsTo(QUERY).at(-1)!;
  expect(request.headers['user-agent']).toMatch(/^co-scientist-bench\//);
  expect(request.headers.accept).toContain('application/atom+xml');
});

describe('nothing and failure are told apart', () => {
  test('an empty feed is asked for once more; twice empty with a total of 0 is nothing found', async () => {
    bench.double.answer(QUERY, feed([], 0));
    const before = bench.double.requestsTo(QUERY).length;
    expect(await bench.run('search_arxiv', { query: 'x' })).toMatchObject({
      outcome: 'nothing_found',
      documents: [],
    });
    expect(bench.double.requestsTo(QUERY).length - before).toBe(2);
  });

  test('a false empty is mended by the second request', async () => {
    bench.double.answer(QUERY, [feed([], 0), feed([entry('2301.00001v1')])]);
    expect(await bench.run('search_arxiv', { query: 'x' })).toMatchObject({ outcome: 'found' });
  });

  test('empty twice although 12 match is a failure', async () => {
    bench.double.answer(QUERY, feed([], 12));
    expect(await bench.run('search_arxiv', { query: 'x' })).toMatchObject({
      outcome: 'failed',
      failureKind: 'unreadable',
    });
  });

  const error =
    '<entry><id>http://arxiv.org/api/errors#incorrect_id_format_for_1234</id><title>Error</title><summary>incorrect id format for 1234</summary></entry>';
  test.each([200, 400])(
    'the error feed, which looks like 1 paper, is a refusal at status %i',
    async (status) => {
      bench.double.answer(QUERY, feed([error], 1, status));
      const answer = await bench.run('search_arxiv', { query: 'x' });
      expect(answer).toMatchObject({ outcome: 'refused', failureKind: 'bad_query', documents: [] });
      expect(answer.text).toContain('> incorrect id format for 1234');
    },
  );

  test.each([
    ['"Rate exceeded." at 429', { status: 429, body: 'Rate exceeded.' }, 'rate_limited'],
    ['"Rate exceeded." at 200', { body: 'Rate exceeded.' }, 'rate_limited'],
    ['406', { status: 406 }, 'rate_limited'],
    ['403', { status: 403, body: 'Access Denied' }, 'blocked'],
    ['a page of denial at 200', { body: '<html><body>Access Denied</body></html>' }, 'blocked'],
    ['a cut feed', asXml('<feed xmlns="http://www.w3.org/2005/Atom"><entry>'), 'unreadable'],
    ['a feed without total', asXml('<feed xmlns="http://www.w3.org/2005/Atom"/>'), 'unreadable'],
    ['503', { status: 503 }, 'server_error'],
    [
      'a redirect, which is not followed',
      { status: 301, headers: { location: 'http://127.0.0.1:1/' } },
      'server_error',
    ],
  ] as [string, Reply, string][])('%s', async (_, reply, failureKind) => {
    bench.double.answer(QUERY, reply);
    expect(await bench.run('search_arxiv', { query: 'x' })).toMatchObject({ failureKind, documents: [] });
  });
});
