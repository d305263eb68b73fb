import { sortCitations } from '../../../activities/generation/citations';
import { writeHypothesisText } from '../../../activities/hypothesis-text';
import type { StoredToolCall } from '../../../db/tool-calls';

const cite = (url: string) => ({ url, title: 'T', excerpt: 'words' });

/** A tool's answer that showed these documents. */
function shown(...documents: { url: string; canonicalUrl?: string; flags?: string[] }[]): StoredToolCall {
  const answer = {
    documents: documents.map(({ url, canonicalUrl = url, flags = [] }) => ({
      ...{ url, canonicalUrl, alsoAt: [], title: 'T', excerpt: 'words', flags },
    })),
  };
  return { answer } as unknown as StoredToolCall;
}

const DOI = 'https://doi.org/10.1234/x';

test('what a tool had shown is kept, under any address of the work; the rest is kept apart', () => {
  const seen = cite('https://dx.doi.org/10.1234/X');
  const other = cite('https://example.org/never-shown');
  expect(sortCitations([seen, other], [shown({ url: DOI })])).toEqual({
    seen: [seen],
    unsupported: [other],
  });
});

test('a work that a tool marked as retracted or withdrawn is marked in the citation, preprints and patents are not', () => {
  const calls = [
    shown({ url: 'https://pubmed.ncbi.nlm.nih.gov/7/', canonicalUrl: DOI, flags: ['retracted'] }),
    shown({ url: DOI, flags: [] }),
    shown({ url: 'https://arxiv.org/abs/2502.18864', flags: ['preprint', 'withdrawn'] }),
    shown({ url: 'https://example.org/patent', flags: ['patent', 'preprint'] }),
  ];
  const cited = [DOI, 'https://arxiv.org/pdf/2502.18864v2', 'https://example.org/patent'].map(cite);
  const { seen } = sortCitations(cited, calls);
  expect(seen.map(({ marks }) => marks)).toEqual([['retracted'], ['withdrawn'], undefined]);
  expect(Object.keys(seen[2]!)).toEqual(['url', 'title', 'excerpt']);
});

test('what is unsupported has no mark: nobody had shown it', () => {
  const { unsupported } = sortCitations(
    [cite('https://example.org/a')],
    [shown({ url: DOI, flags: ['retracted'] })],
  );
  expect(unsupported).toEqual([cite('https://example.org/a')]);
});

test('a judge reads the mark beside the citation', () => {
  const record = {
    ...{ title: 't', summary: 's', fullText: 'f', mechanism: 'm', entities: ['e'], falsification: 'x' },
    citations: [
      { ...cite(DOI), marks: ['retracted', 'concern'] as ('retracted' | 'concern')[] },
      cite('https://a.org'),
    ],
  };
  expect(writeHypothesisText(record)).toContain(
    `- T (${DOI}) [retracted, under an expression of concern]: words\n- T (https://a.org): words`,
  );
});
