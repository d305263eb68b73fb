import { z } from 'zod';
import { normaliseDoi, normalisePmid } from '../article-ids';
import { SourceFailure } from '../failure';
import { dayOf, type Findings, type FoundDocument } from '../findings';
import type { LiteratureSettings } from '../literature-settings';
import { literatureTool } from '../literature-tool';
import {
  type ArticleRef,
  articleOf,
  articleUrl,
  canonicalUrl,
  idsInUrl,
  parseHttpUrl,
} from '../normalise-url';
import type { LiteratureContext, LiteratureSource } from '../source';
import { titleFlags } from '../title-flags';
import { withheldCheck } from '../withheld';
import { arxivPart, fetchArticle } from './article-page';
import { pageKind } from './page-kind';
import type { PageReader } from './page-reader';
import type { PageReading } from './page-reading';
import { fetchWebPage, type WebPage } from './web-page';

/** Shown of one page at a time. */
const PAGE_CHARS = 16_000;
/** HTML beyond this is cut before it is parsed. */
const MAX_HTML_BYTES = 5_000_000;

const schema = z.strictObject({
  url: z
    .string()
    .max(2000)
    .describe('An http(s) address, or an article by its id: doi:…, PMID:…, PMC…, arXiv:…'),
  offset: z
    .int()
    .min(0)
    .max(10_000_000)
    .default(0)
    .describe('The character to go on from, when an earlier answer was cut.'),
});

/** One page or paper as readable text. */
export function fetchPageSource(settings: LiteratureSettings, reader: PageReader): LiteratureSource {
  return literatureTool({
    name: 'fetch_page',
    description:
      'Fetches a web page, PDF or paper and returns its text. Long texts come in parts: go on with offset. Papers are ' +
      'taken from PubMed, Europe PMC and arXiv where these have them, with retractions and withdrawals marked.',
    schema,
    readingVersion: 2,
    question: ({ url }) => questionOf(url),
    view: ({ offset }) => ({ offset, maxChars: PAGE_CHARS }),
    refuse: ({ url }, { withheld }) => {
      if (!articleOf(url) && !parseHttpUrl(url)) throw new SourceFailure('bad_url');
      if (withheldCheck(withheld).matchesUrl(url)) throw new SourceFailure('withheld');
    },
    async ask({ url }, context) {
      const article = articleOf(url);
      const fetched = article ? await fetchArticle({ settings, reader }, context, article, url) : null;
      if (fetched) return findingsOf(fetched.document, fetched.isWhole, context);
      const address = parseHttpUrl(url)?.href ?? articleUrl(article as ArticleRef);
      return fetchAndRead(reader, context, address);
    },
  });
}

/** An arXiv address says which part and version it means; elsewhere all addresses of an article mean the same. */
function questionOf(url: string): Record<string, unknown> {
  return articleOf(url)?.kind === 'arxiv'
    ? { url: canonicalUrl(url), ...arxivPart(url) }
    : { url: canonicalUrl(url) };
}

async function fetchAndRead(
  reader: PageReader,
  context: LiteratureContext,
  address: string,
): Promise<Findings> {
  const page = await fetchWebPage(reader, context, address);
  const { kind, charset } = pageKind(page.answer.bytes, page.answer.header('content-type'));
  if (kind === 'pdf' && page.answer.isCut)
    throw new SourceFailure('too_large', 'A PDF cannot be read in part.');
  const isCut = page.answer.isCut || (kind !== 'pdf' && page.answer.bytes.length > MAX_HTML_BYTES);
  const bytes = kind === 'pdf' ? page.answer.bytes : page.answer.bytes.subarray(0, MAX_HTML_BYTES);
  const reading = await reader.read({ kind, bytes, charset, url: page.url.href }, context.signal);
  if (reading.kind === 'unread')
    throw new SourceFailure(reading.failure, reading.note, { isRetryable: false });
  return findingsOf(pageDocument(page, reading, isCut), true, context);
}

function pageDocument(
  { url, via }: WebPage,
  reading: Extract<PageReading, { kind: 'read' }>,
  isCut: boolean,
): FoundDocument {
  const ids = idsInUrl(url.href);
  return {
    url: url.href,
    alsoAt: via,
    title: reading.title,
    authors: reading.authors,
    published: readDay(reading.published),
    venue: reading.venue ?? url.hostname,
    ids: {
      ...ids,
      doi: ids.doi ?? normaliseDoi(reading.doi ?? ''),
      pmid: ids.pmid ?? normalisePmid(reading.pmid ?? ''),
    },
    flags: [reading.title, reading.headTitle].flatMap((title) => titleFlags(title ?? '')),
    remarks: [
      ...(reading.pdfUrl && reading.pdfUrl !== url.href ? [`The page names a PDF: ${reading.pdfUrl}`] : []),
      ...(isCut ? ['The page was larger than what is read; its end is missing.'] : []),
      ...reading.remarks,
    ],
    sections: reading.sections,
  };
}

/** `2024/05/01`, `2024-05-01T…`, `2024-05`, `2024`; other forms are not guessed at. */
function readDay(text: string | null): string | null {
  const match = /^(\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2}))?)?(?!\d)/.exec(text?.trim() ?? '');
  if (!match?.[1]) return null;
  return [match[1], match[2]?.padStart(2, '0'), match[3]?.padStart(2, '0')].filter(Boolean).join('-');
}

function findingsOf(document: FoundDocument, isWhole: boolean, context: LiteratureContext): Findings {
  return {
    outcome: isWhole ? 'found' : 'part_found',
    documents: [document],
    total: null,
    notes: [],
    receivedOn: dayOf(context.now()),
  };
}
