import fc from 'fast-check';
import { normaliseArxivId, normaliseDoi, normalisePmid } from '../../../activities/literature/article-ids';
import {
  articleOf,
  articleUrl,
  canonicalForms,
  canonicalUrl,
  seenUrls,
} from '../../../activities/literature/normalise-url';

describe('forms of one article', () => {
  // Address forms as doi.org, NCBI, Europe PMC, arXiv and the publishers document and use them.
  const forms: [string, string[]][] = [
    [
      'https://arxiv.org/abs/2502.18864',
      [
        'http://arXiv.org/abs/2502.18864',
        'https://www.arxiv.org/pdf/2502.18864v2.pdf',
        'https://export.arxiv.org/abs/2502.18864v1',
        'https://arxiv.org/html/2502.18864v1#S3',
        'arXiv:2502.18864v2',
        '2502.18864',
        'https://doi.org/10.48550/arXiv.2502.18864',
        '10.48550/ARXIV.2502.18864',
      ],
    ],
    [
      'https://arxiv.org/abs/math/0309136',
      ['https://arxiv.org/abs/math.GT/0309136v1', 'arxiv:math/0309136', 'math.GT/0309136'],
    ],
    [
      'https://pubmed.ncbi.nlm.nih.gov/31452104',
      [
        'https://pubmed.ncbi.nlm.nih.gov/31452104/',
        'http://www.ncbi.nlm.nih.gov/pubmed/31452104',
        'https://europepmc.org/article/MED/31452104',
        'http://europepmc.org/abstract/med/31452104?utm_source=x',
        'PMID: 31452104',
        'pmid:0031452104',
      ],
    ],
    [
      'https://pmc.ncbi.nlm.nih.gov/articles/PMC6710269',
      [
        'https://www.ncbi.nlm.nih.gov/pmc/articles/PMC6710269/pdf/main.pdf',
        'https://pmc.ncbi.nlm.nih.gov/articles/pmc6710269/#sec2',
        'https://europepmc.org/articles/PMC6710269?pdf=render',
        'https://europepmc.org/article/PMC/PMC6710269',
        'PMC6710269',
      ],
    ],
    [
      'https://doi.org/10.1101/2020.01.01.123456',
      [
        'https://www.biorxiv.org/content/10.1101/2020.01.01.123456v2.full.pdf',
        'https://www.biorxiv.org/content/10.1101/2020.01.01.123456v1',
        'https://www.medrxiv.org/content/10.1101/2020.01.01.123456v1.full-text',
        'doi:10.1101/2020.01.01.123456',
        'http://dx.doi.org/10.1101/2020.01.01.123456.',
        'https://DOI.org/10.1101%2F2020.01.01.123456',
      ],
    ],
    [
      'https://doi.org/10.1002/(sici)1097-0258(19980815/30)17:15/16%3C1661::aid-sim968%3E3.0.co;2-2',
      [
        'https://onlinelibrary.wiley.com/doi/abs/10.1002/(SICI)1097-0258(19980815/30)17:15/16%3C1661::AID-SIM968%3E3.0.CO;2-2',
        '10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2',
      ],
    ],
  ];

  test.each(forms)('%s is the one form of all its addresses', (canonical, others) => {
    for (const other of [canonical, ...others])
      expect([other, canonicalUrl(other)]).toEqual([other, canonical]);
  });

  test('a path that looks like a DOI on a site that is no known publisher names no article', () => {
    expect(articleOf('https://evil.example.org/doi/10.1002/abc')).toBeNull();
    expect(articleOf('https://example.org/abs/2502.18864')).toBeNull();
  });

  test('all ids of a work give 4 canonical forms and its address a fifth; the DOI comes first', () => {
    const ids = { doi: '10.1/x'.replace('10.1', '10.1038'), pmid: '7', pmcid: 'PMC8', arxivId: '2502.18864' };
    const forms = canonicalForms(ids, 'https://www.nature.com/articles/x/');
    expect(forms).toEqual([
      'https://doi.org/10.1038/x',
      'https://pubmed.ncbi.nlm.nih.gov/7',
      'https://pmc.ncbi.nlm.nih.gov/articles/PMC8',
      'https://arxiv.org/abs/2502.18864',
      'https://nature.com/articles/x',
    ]);
    expect(seenUrls({ canonicalUrl: forms[0]!, alsoAt: forms })).toEqual(forms);
  });
});

describe('plain addresses', () => {
  test.each([
    ['HTTP://Example.ORG:80/Path/', 'https://example.org/Path'],
    ['https://www.example.org', 'https://example.org/'],
    ['https://example.org/a?utm_source=x&b=2&a=1&fbclid=q#part', 'https://example.org/a?a=1&b=2'],
    ['https://user:secret@example.org/a', 'https://example.org/a'],
    ['https://example.org/%7euser/%c3%a4', 'https://example.org/~user/%C3%A4'],
    ['https://example.org:8443/a/../b//', 'https://example.org:8443/b'],
    ['https://example.org/%4%31', 'https://example.org/A'],
    ['https://doi.org/10.1038%252Fa%2541', 'https://doi.org/10.1038/aa'],
  ])('%s → %s', (from, to) => expect(canonicalUrl(from)).toBe(to));

  test.each(['', 'nothing', 'ftp://example.org/a', 'javascript:alert(1)', 'http://', '12345', 'abc/1234567'])(
    '%j is no address',
    (text) => expect(canonicalUrl(text)).toBeNull(),
  );

  test('two documents of one site stay two', () => {
    expect(canonicalUrl('https://example.org/a?id=1')).not.toBe(canonicalUrl('https://example.org/a?id=2'));
    expect(canonicalUrl('https://example.org/A')).not.toBe(canonicalUrl('https://example.org/a'));
  });
});

describe('laws', () => {
  const anyUrl = fc.oneof(
    fc.webUrl({ withQueryParameters: true, withFragments: true, validSchemes: ['http', 'https'] }),
    fc
      .tuple(
        fc.constantFrom(
          'doi.org',
          'arxiv.org',
          'www.arxiv.org',
          'pubmed.ncbi.nlm.nih.gov',
          'europepmc.org',
          'x.org',
        ),
        fc.array(
          fc.oneof(
            fc.constantFrom(
              'abs',
              'pdf',
              'article',
              'MED',
              '..',
              '.',
              '10.1038',
              '10.48550',
              '%2e',
              '%25',
              '%2',
            ),
            fc.string({ maxLength: 12, unit: 'binary' }),
            fc.stringMatching(/^\d{4}\.\d{5}(v\d)?$/),
          ),
          { maxLength: 5 },
        ),
      )
      .map(([host, parts]) => `https://${host}/${parts.join('/')}`),
    fc
      .tuple(
        fc.constantFrom('doi:10.1038/', '10.1000/', 'pmid:', 'PMC', 'arxiv:', ''),
        fc.string({ unit: 'binary' }),
      )
      .map((parts) => parts.join('')),
  );

  test('the canonical form of a canonical form is itself', () => {
    fc.assert(
      fc.property(anyUrl, (text) => {
        const once = canonicalUrl(text);
        if (once !== null) expect(canonicalUrl(once)).toBe(once);
      }),
      { numRuns: 3000, seed: 20261004 },
    );
  });

  test('scheme, host case, fragment, tracking and a closing slash never matter', () => {
    fc.assert(
      fc.property(
        fc.webUrl({ withQueryParameters: true, validSchemes: ['https'] }),
        fc.webFragments(),
        (url, part) => {
          const { protocol: _, host, pathname, search } = new URL(url);
          const slashed = pathname.endsWith('/') ? pathname : `${pathname}/`;
          const other = `http://${host.toUpperCase()}${slashed}${search || '?'}&utm_campaign=a&gclid=b#${part}`;
          expect(canonicalUrl(other)).toBe(canonicalUrl(url));
        },
      ),
      { numRuns: 1000, seed: 20261004 },
    );
  });

  test('an article survives its own address', () => {
    const doi = fc
      .stringMatching(/^10\.\d{4,6}\/[A-Za-z0-9().;:_/<>#?%-]{1,30}[a-z0-9]$/)
      .map(normaliseDoi)
      .filter((id) => id !== null);
    const pmid = fc.integer({ min: 1, max: 99_999_999 }).map((n) => normalisePmid(String(n)) ?? '');
    const arxiv = fc.stringMatching(/^\d{4}\.\d{5}$/).map((id) => normaliseArxivId(id) ?? '');
    const article = fc.oneof(
      doi.map((id) => ({ kind: 'doi' as const, id })),
      pmid.map((id) => ({ kind: 'pmid' as const, id })),
      arxiv.map((id) => ({ kind: 'arxiv' as const, id })),
    );
    fc.assert(
      fc.property(article, (ref) => expect(articleOf(articleUrl(ref))).toEqual(ref)),
      { numRuns: 1000, seed: 20261004 },
    );
  });

  test('no text makes it throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        canonicalUrl(text);
        canonicalUrl(`https://doi.org/${text}`);
      }),
      { numRuns: 2000, seed: 20261004 },
    );
  });
});
