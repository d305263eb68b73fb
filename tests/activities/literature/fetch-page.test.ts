import { gzipSync } from 'node:zlib';
import { createPageReader } from '../../../activities/literature/page/page-reader';
import { asHtml, asRedirect, type Reply } from '../../doubles/literature-double';
import { LOCKED_PDF, tinyPdf } from '../../doubles/tiny-pdf';
import { type LiteratureBench, openLiteratureBench } from './literature-bench';

let bench: LiteratureBench;
beforeAll(async () => {
  bench = await openLiteratureBench();
});
afterAll(() => bench.close());
beforeEach(() => bench.forget());

let page = 0;
/** Serves one reply under a new address and fetches it. */
async function fetched(reply: Reply, args: Record<string, unknown> = {}) {
  const path = `/page/${page++}`;
  bench.double.answer(path, reply);
  return bench.run('fetch_page', { url: bench.double.origin + path, ...args });
}

const paragraph = (word: string, times = 40) => `<p>${`${word} cells were counted. `.repeat(times)}</p>`;
const article = (inner: string, head = '') =>
  `<!doctype html><html><head><title>A page</title>${head}</head><body><nav><a href="/">Menu</a></nav><article>${inner}</article><script>var hidden = 1;</script></body></html>`;

describe('HTML', () => {
  test('gives the article with its headings, without menu and scripts', async () => {
    const { outcome, documents } = await fetched(
      asHtml(article(`${paragraph('Blast')}<h2>Methods</h2>${paragraph('Marrow')}`)),
    );
    expect(outcome).toBe('found');
    expect(documents[0]?.title).toBe('A page');
    expect(documents[0]?.excerpt).toMatch(
      /^Blast cells were counted\..*\n\nMethods: Marrow cells were counted\./s,
    );
    expect(documents[0]?.excerpt).not.toMatch(/Menu|hidden/);
  });

  test('what a publisher declares of a paper is its title, authors, date, DOI and PDF', async () => {
    const head =
      '<meta name="citation_title" content="A declared title"><meta name="citation_author" content="Doe, Ann"><meta name="citation_doi" content="doi:10.1234/DECL"><meta name="citation_publication_date" content="2024/5/1"><meta name="citation_journal_title" content="J. Made Up"><meta name="citation_pdf_url" content="/the.pdf">';
    const { documents, text } = await fetched(asHtml(article(paragraph('Blast'), head)));
    expect(documents[0]).toMatchObject({
      title: 'A declared title',
      ids: { doi: '10.1234/decl' },
      canonicalUrl: 'https://doi.org/10.1234/decl',
    });
    expect(text).toContain('published 2024-05-01');
    expect(text).toContain(`The page names a PDF: ${bench.double.origin}/the.pdf`);
    expect(text).toContain('> Doe, Ann. J. Made Up');
  });

  test.each([
    ['RETRACTED: A paper', ['retracted']],
    ['Retracted Article: A paper', ['retracted']],
    ['WITHDRAWN: A paper', ['withdrawn']],
    ['Retraction notice to: A paper', ['notice']],
    ['Retracted potentials in physics', []],
    ['A paper', []],
  ])('the title "%s" gives the marks %j', async (title, flags) => {
    const html = article(paragraph('Blast')).replace('A page', title);
    expect((await fetched(asHtml(html))).documents[0]?.flags).toEqual(flags);
  });
});

describe('characters', () => {
  const text = 'Naïve “cells” – 5 €';
  const html = (inner: string, head = '') => article(`<p>${inner} ${'x'.repeat(300)}</p>`, head);
  // Bytes by the WHATWG encoding standard's tables: 0x93 0x94 quotes, 0x96 dash, 0x80 euro in windows-1252.
  const western = (head = '') => Buffer.from(html('Na\xEFve \x93cells\x94 \x96 5 \x80', head), 'latin1');
  const pad = `<style>${'/* long */'.repeat(200)}</style>`;
  test.each([
    ['header', western(), 'text/html; charset=windows-1252', text],
    [
      'header that calls it latin1, which the web reads as windows-1252',
      western(),
      'text/html; charset="ISO-8859-1"',
      text,
    ],
    ['meta', western('<meta charset="windows-1252">'), 'text/html', text],
    [
      'meta after a script that declares another',
      western('<script charset="utf-8" src="x"></script><meta charset=cp1252>'),
      'text/html',
      text,
    ],
    [
      'late meta',
      Buffer.from(
        html(
          '\xB1\xE6\xEA',
          `${pad}<meta http-equiv="content-type" content="text/html; charset=iso-8859-2">`,
        ),
        'latin1',
      ),
      'text/html',
      'ąćę',
    ],
    ['guess', western(), 'text/html', text],
    ['undeclared UTF-8', Buffer.from(html(text)), 'text/html', text],
    ['header that is no charset', Buffer.from(html(text)), 'text/html; charset=utf8mb4', text],
    [
      'byte-order mark against the header',
      Buffer.from(`\uFEFF${html(text)}`, 'utf16le'),
      'text/html; charset=utf-8',
      text,
    ],
    [
      'Shift_JIS meta',
      Buffer.concat([
        Buffer.from(html('', '<meta charset="shift_jis">').split('<p>')[0]!),
        Buffer.from([0x3c, 0x70, 0x3e, 0x93, 0xfa, 0x96, 0x7b]),
        Buffer.from(`${'x'.repeat(300)}</p></article>`),
      ]),
      'text/html',
      '日本',
    ],
    [
      'plain text, ISO-8859-2',
      Buffer.concat([Buffer.from([0xb1, 0xe6, 0xea]), Buffer.from('x'.repeat(100))]),
      'text/plain; charset=iso-8859-2',
      'ąćę',
    ],
  ])('by %s are read right', async (_, bytes, contentType, expected) => {
    expect((await fetched(asHtml(bytes, contentType))).documents[0]?.excerpt).toContain(expected);
  });

  test('a guess is called a guess, and only then', async () => {
    expect((await fetched(asHtml(western(), 'text/html'))).text).toContain('windows-1252 is a guess');
    expect((await fetched(asHtml(Buffer.from(html(text)), 'text/html'))).text).not.toContain('guess');
  });

  test('many characters that cannot be decoded are counted: 40', async () => {
    const bytes = Buffer.from(html('é'.repeat(40)), 'latin1');
    expect((await fetched(asHtml(bytes, 'text/html; charset=utf-8'))).text).toContain(
      '40 characters could not be decoded',
    );
  });
});

describe('PDF', () => {
  const lines = [
    '(Leukaemic stem cells were treated for seven days and coun-)',
    '(ted by \\256ow cytometry in three laboratories.)',
  ];

  test('gives its text by pages, with words rejoined; the kind is told by the bytes', async () => {
    const pdf = tinyPdf([lines, ['(The second page has more than twenty-five characters.)']], {
      title: 'A made-up study',
    });
    for (const type of ['application/pdf', 'application/octet-stream', 'text/html', '']) {
      const { documents } = await fetched({ headers: type ? { 'content-type': type } : {}, body: pdf });
      expect(documents[0]).toMatchObject({ title: 'A made-up study' });
      expect(documents[0]?.excerpt).toMatch(
        /^Page 1: .*seven days and counted by .*\n\nPage 2: The second page/s,
      );
    }
  });

  test('Japanese in a font that is not embedded is read, not left out', async () => {
    const font =
      '<< /Type /Font /Subtype /Type0 /BaseFont /MS-Gothic /Encoding /90ms-RKSJ-H /DescendantFonts [5 0 R] >>';
    const more = [
      '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /MS-Gothic /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> /FontDescriptor 6 0 R >>',
      '<< /Type /FontDescriptor /FontName /MS-Gothic /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>',
    ];
    // 日本語 in Shift_JIS is 93FA 967B 8CEA.
    const pdf = tinyPdf([Array(10).fill('<93FA967B8CEA>')], { font, more });
    expect((await fetched({ body: pdf })).documents[0]?.excerpt).toContain('日本語');
  });

  test.each([
    ['a scan', tinyPdf([[], [], []]), 'no_text', 'no text layer'],
    ['a locked one', LOCKED_PDF, 'no_text', 'password'],
    ['a broken one', Buffer.from('%PDF-1.7\nnothing else'), 'unreadable', 'no readable PDF'],
  ])('%s is a failure that says so', async (_, body, failureKind, note) => {
    const answer = await fetched({ headers: { 'content-type': 'application/pdf' }, body });
    expect(answer).toMatchObject({ outcome: 'failed', failureKind, documents: [] });
    expect(answer.text).toContain(note);
  });

  test('of 101 pages 100 are read, and it is said', async () => {
    const pdf = tinyPdf(Array(101).fill(['(A page with more than twenty-five characters on it.)']));
    expect((await fetched({ body: pdf })).text).toContain('Only 100 of 101 pages were read.');
  });

  test('a PDF link that gives a page of HTML is read as that page', async () => {
    const answer = await fetched({
      headers: { 'content-type': 'application/pdf' },
      body: article(paragraph('Landing')),
    });
    expect(answer.documents[0]?.excerpt).toContain('Landing cells');
  });
});

describe('limits', () => {
  test('30 MB that came as 30 kB of gzip are cut at the cap of decoded bytes, and it is said', async () => {
    const bomb = gzipSync(article(paragraph('Blast', 1_200_000)));
    expect(bomb.length).toBeLessThan(200_000);
    const { outcome, text } = await fetched({
      headers: { 'content-type': 'text/html', 'content-encoding': 'gzip' },
      body: bomb,
    });
    expect(outcome).toBe('found');
    expect(text).toContain('The page was larger than what is read; its end is missing.');
    expect(text).toContain('Only the first 200000 characters were read.');
  });

  test('a PDF beyond the cap is refused as too large', async () => {
    const body = gzipSync(Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(26_000_000)]));
    expect(await fetched({ headers: { 'content-encoding': 'gzip' }, body })).toMatchObject({
      failureKind: 'too_large',
    });
  });

  test.each([
    [100, 'found', undefined],
    [160, 'refused', 'too_deep'],
    [100_000, 'refused', 'too_deep'],
  ])('%i nested elements: %s', async (depth, outcome, failureKind) => {
    const html = `<html><body>${'<div>'.repeat(depth)}${paragraph('Deep')}${'</div>'.repeat(depth)}</body></html>`;
    const answer = await fetched(asHtml(html));
    expect(answer.outcome).toBe(outcome);
    expect(answer.failureKind).toBe(failureKind);
  });

  test('broken compression is a failure', async () => {
    const body = gzipSync(article(paragraph('Blast'))).fill(7, 20, 60);
    expect(await fetched({ headers: { 'content-encoding': 'gzip' }, body })).toMatchObject({
      failureKind: 'unreadable',
    });
  });

  test('a reader that runs out of time or memory is ended, and the next page is read', async () => {
    const job = {
      kind: 'html' as const,
      bytes: Buffer.from(article(paragraph('Blast', 20_000))),
      charset: null,
      url: 'http://x/',
    };
    const { signal } = new AbortController();
    const hasty = createPageReader({ timeoutMs: 1 });
    await expect(hasty.read(job, signal)).rejects.toMatchObject({ kind: 'timeout' });
    await hasty.close();
    const narrow = createPageReader({ heapMb: 24 });
    const elements = `<html><body>${'<p>a<b>b</b></p>'.repeat(200_000)}</body></html>`;
    await expect(narrow.read({ ...job, bytes: Buffer.from(elements) }, signal)).rejects.toMatchObject({
      kind: 'unreadable',
      note: 'Reading the page took too much memory.',
    });
    await expect(
      narrow.read({ ...job, bytes: Buffer.from(article(paragraph('Next'))) }, signal),
    ).resolves.toMatchObject({ kind: 'read' });
    await narrow.close();
  });

  test('a long page comes in parts that give the whole text', async () => {
    const body = Array.from({ length: 6000 }, (_, n) => `word${n}`).join(' ');
    bench.double.answer('/long', asHtml(body, 'text/plain'));
    let whole = '';
    let parts = 0;
    for (let offset: number | null = 0; offset !== null; parts++) {
      const { text, documents } = await bench.run('fetch_page', {
        url: `${bench.double.origin}/long`,
        offset,
      });
      whole = `${whole} ${documents[0]?.excerpt}`;
      const next = /the text goes on at offset (\d+)/.exec(text)?.[1];
      offset = next ? Number(next) : null;
    }
    expect(parts).toBe(4); // 53,889 characters in parts of 16,000
    expect(whole.replace(/\s+/g, '')).toBe(body.replace(/\s+/g, ''));
    expect(bench.double.requestsTo('/long')).toHaveLength(1);
  });
});

describe('what is no page is told apart', () => {
  test.each([
    ['404', { status: 404 }, 'failed', 'not_found'],
    ['410', { status: 410 }, 'failed', 'not_found'],
    ['401', { status: 401 }, 'refused', 'blocked'],
    ['403', { status: 403 }, 'refused', 'blocked'],
    ['451', { status: 451 }, 'refused', 'blocked'],
    ['429', { status: 429, headers: { 'retry-after': '1' } }, 'refused', 'rate_limited'],
    ['500', { status: 500 }, 'failed', 'server_error'],
    [
      'a picture',
      { headers: { 'content-type': 'image/png' }, body: '\x89PNG\r\n' },
      'refused',
      'unsupported_type',
    ],
    ['JSON', { headers: { 'content-type': 'application/json' }, body: '{}' }, 'refused', 'unsupported_type'],
    [
      'bytes called text',
      { headers: { 'content-type': 'text/plain' }, body: 'a\0b\0\0c' },
      'refused',
      'unsupported_type',
    ],
    [
      'a PDF that is none',
      { headers: { 'content-type': 'application/pdf' }, body: 'hello' },
      'refused',
      'unsupported_type',
    ],
    ['an empty page', asHtml('<html><body></body></html>'), 'failed', 'no_text'],
    ['a page of a few words', asHtml('<html><body><p>Moved.</p></body></html>'), 'failed', 'no_text'],
    [
      'a proof-of-work page',
      asHtml(
        '<html><head><title>Preparing to download ...</title></head><body>Preparing to download ...</body></html>',
      ),
      'refused',
      'blocked',
    ],
    [
      'a robot check',
      asHtml(
        '<html><head><title>Just a moment...</title></head><body><p>Checking your browser before you access the site. This takes a few seconds, please wait and do not close this window.</p></body></html>',
      ),
      'refused',
      'blocked',
    ],
    [
      'a script wall',
      asHtml(
        '<html><head><title>Site</title></head><body><p>You need to enable JavaScript to run this app. Please change the settings of your browser and load the page again.</p></body></html>',
      ),
      'refused',
      'blocked',
    ],
    [
      'a cut connection',
      { headers: { 'content-length': '5000', 'content-type': 'text/html' }, body: '<html>', fault: 'cut' },
      'failed',
      'network',
    ],
  ] as [string, Reply, string, string][])('%s', async (_, reply, outcome, failureKind) => {
    expect(await fetched(reply)).toMatchObject({ outcome, failureKind, documents: [] });
  });

  test('an article about such barriers is no barrier', async () => {
    const html = article(
      `${paragraph('Captcha')}<p>Please enable JavaScript, verify you are human.</p>${paragraph('Robot', 80)}`,
    );
    expect(await fetched(asHtml(html))).toMatchObject({ outcome: 'found' });
  });

  test.each([
    '',
    'hello',
    'ftp://example.org/a',
    'file:///etc/passwd',
    'javascript:alert(1)',
    '//example.org/a',
    '12345',
  ])('%j is no address', async (url) =>
    expect(await bench.run('fetch_page', { url })).toMatchObject({
      outcome: 'refused',
      failureKind: 'bad_url',
    }),
  );
});

describe('redirects', () => {
  test('5 are followed, and every address of the way may be cited; 6 are not', async () => {
    for (let hop = 0; hop < 6; hop++) bench.double.answer(`/hop/${hop}`, asRedirect(`/hop/${hop + 1}`));
    bench.double.answer('/hop/6', asHtml(article(paragraph('Arrived'))));
    const { documents } = await bench.run('fetch_page', { url: `${bench.double.origin}/hop/1` });
    expect(documents[0]).toMatchObject({ url: `${bench.double.origin}/hop/6` });
    expect(documents[0]?.alsoAt).toContain(`https://127.0.0.1:${bench.double.port}/hop/1`);
    expect(await bench.run('fetch_page', { url: `${bench.double.origin}/hop/0` })).toMatchObject({
      failureKind: 'too_many_redirects',
    });
  });

  test.each(['file:///etc/passwd', 'ftp://example.org/', 'gopher://127.0.0.1/', 'http://[bad'])(
    'to %s is refused',
    async (location) => {
      expect(await fetched(asRedirect(location))).toMatchObject({
        outcome: 'refused',
        failureKind: 'bad_url',
      });
    },
  );
});

describe('a page that says too much of itself', () => {
  test('of fields over 2,000 characters none is believed; the next of its name is', async () => {
    const long = (name: string) => `<meta name="${name}" content="10.1234/${')'.repeat(100_000)}">`;
    const head = `${long('citation_doi')}${long('citation_title')}<meta name="citation_doi" content="10.1234/real">`;
    const { outcome, documents } = await fetched(asHtml(article(paragraph('Told'), head)));
    expect(outcome).toBe('found');
    expect(documents[0]).toMatchObject({ title: 'A page', ids: { doi: '10.1234/real' } });
  });

  test('20,000 headings count as text: 200,000 characters are read in all, and it is said', async () => {
    const headings = `<h2>${'Heading '.repeat(5)}</h2><p>x</p>`.repeat(20_000);
    const { outcome, text } = await fetched(asHtml(article(paragraph('Told') + headings)));
    expect(outcome).toBe('found');
    expect(text).toContain('Only the first 200000 characters were read.');
  });
});

describe('robots.txt', () => {
  afterEach(() => bench.double.answer('/robots.txt', { status: 404 }));
  const rules = (body: string): Reply => ({ headers: { 'content-type': 'text/plain' }, body });

  test('a path that is closed to all, or to this program, is not fetched', async () => {
    bench.double.answer('/robots.txt', rules('User-agent: *\nDisallow: /closed\n'));
    const url = `${bench.double.origin}/closed/x`;
    expect(await bench.run('fetch_page', { url })).toMatchObject({
      outcome: 'refused',
      failureKind: 'robots',
    });
    expect(bench.double.requestsTo('/closed/x')).toHaveLength(0);
    bench.forget();
    bench.double.answer('/robots.txt', rules('User-agent: co-scientist-bench\nDisallow: /\n'));
    expect(await bench.run('fetch_page', { url: `${bench.double.origin}/open` })).toMatchObject({
      failureKind: 'robots',
    });
  });

  test('rules are asked for once for 3 pages of a site', async () => {
    bench.double.answer('/robots.txt', rules('User-agent: *\nDisallow: /closed\n'));
    const before = bench.double.requestsTo('/robots.txt').length;
    for (let n = 0; n < 3; n++) await fetched(asHtml(article(paragraph('Open'))));
    expect(bench.double.requestsTo('/robots.txt').length - before).toBe(1);
  });

  // A minute's work. Read by the worker itself, it kept it from its leases: its calls counted as lost, and were paid twice.
  test('rules of 9,000 stars by 20, against a path of 100,000 letters, are given up; then others are read', async () => {
    const hasty = createPageReader({ timeoutMs: 2_000 });
    const { signal } = new AbortController();
    const address = 'https://site.test/robots.txt';
    const costly = `User-agent: *\n${`Disallow: /${'*a'.repeat(20)}c\n`.repeat(9_000)}`;
    const url = `https://site.test/${'a'.repeat(100_000)}b`;
    await expect(hasty.isAllowed({ address, rules: costly, url }, signal)).rejects.toMatchObject({
      kind: 'timeout',
    });
    const closed = 'User-agent: *\nDisallow: /closed\n';
    const allowed = ['open', 'closed'].map((path) =>
      hasty.isAllowed({ address, rules: closed, url: `https://site.test/${path}` }, signal),
    );
    expect(await Promise.all(allowed)).toEqual([true, false]);
    await hasty.close();
  });

  test('a site that cannot say its rules (500) allows nothing', async () => {
    bench.double.answer('/robots.txt', { status: 500 });
    expect(await fetched(asHtml(article(paragraph('Open'))))).toMatchObject({ failureKind: 'robots' });
  });
});
