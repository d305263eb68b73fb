import { Readability } from '@mozilla/readability';
import type { Section } from '../findings';
import { pageSections } from '../markup-text';
import { isBarrier } from './blocked-page';
import { isDeeperThan } from './page-depth';
import { capSections, type PageReading } from './page-reading';

/** Readability's time stays below a second up to here. */
const MAX_DEPTH = 150;
/** An extract shorter than this is no article: then the whole page's text is taken. */
const MIN_ARTICLE_CHARS = 250;
/** A page with less is reported, not passed on as a page. */
const MIN_PAGE_CHARS = 80;

/** No title, name or address of a paper is longer. */
const MAX_DECLARED_CHARS = 2_000;
/** The largest collaborations in physics sign with some 5,000. */
const MAX_AUTHORS = 5_000;

/** The readable text of a web page, and what it declares of itself. Runs no scripts. */
export async function readHtmlPage(html: string, url: string): Promise<PageReading> {
  if (isDeeperThan(html, MAX_DEPTH)) return { kind: 'unread', failure: 'too_deep', note: null };
  const { parseHTML } = await import('linkedom');
  const document = parseHTML(html).document as unknown as PageDocument;
  const declared = readDeclared(document, url);
  const whole = pageSections(html);
  const article = readArticle(document);
  const sections = lengthOf(article.sections) >= MIN_ARTICLE_CHARS ? article.sections : whole;
  const text = sections.map((section) => section.text).join('\n');
  if (isBarrier(declared.headTitle, text)) return { kind: 'unread', failure: 'blocked', note: null };
  if (text.length < MIN_PAGE_CHARS)
    return { kind: 'unread', failure: 'no_text', note: `The page has ${text.length} characters of text.` };
  return {
    kind: 'read',
    ...declared,
    title: declared.title ?? article.title ?? declared.headTitle,
    ...capSections(sections),
  };
}

/** The part of the DOM that is used; the DOM's own types are not loaded in this project. */
interface PageDocument {
  title: string;
  documentElement: unknown;
  querySelectorAll(selector: string): Iterable<{ getAttribute(name: string): string | null }>;
}

function readArticle(document: PageDocument): { title: string | null; sections: Section[] } {
  if (!document.documentElement) return { title: null, sections: [] };
  try {
    const options = { charThreshold: MIN_ARTICLE_CHARS, maxElemsToParse: 100_000 };
    const article = new Readability(document as never, options).parse();
    return {
      title: article?.title?.slice(0, MAX_DECLARED_CHARS) || null,
      sections: article?.content ? pageSections(article.content) : [],
    };
  } catch {
    // Too many elements, or markup it trips over: the whole page's text remains.
    return { title: null, sections: [] };
  }
}

type Declared = Omit<Extract<PageReading, { kind: 'read' }>, 'kind' | 'sections' | 'remarks'>;

/** Publishers describe papers in `citation_*` tags (Google Scholar's inclusion guidelines). */
function readDeclared(document: PageDocument, url: string): Declared {
  const tags = [...document.querySelectorAll('meta')].map((tag) => ({
    name: (tag.getAttribute('name') ?? tag.getAttribute('property') ?? '').toLowerCase(),
    content: tag.getAttribute('content')?.trim() ?? '',
  }));
  const usable = tags.filter(({ content }) => content !== '' && content.length <= MAX_DECLARED_CHARS);
  const first = (...names: string[]): string | null =>
    names.map((name) => usable.find((tag) => tag.name === name)?.content).find(Boolean) ?? null;
  return {
    title: first('citation_title', 'dc.title'),
    headTitle: document.title?.trim().slice(0, MAX_DECLARED_CHARS) || null,
    authors: usable
      .filter(({ name }) => name === 'citation_author')
      .slice(0, MAX_AUTHORS)
      .map(({ content }) => content),
    published: first(
      'citation_publication_date',
      'citation_online_date',
      'citation_date',
      'article:published_time',
    ),
    venue: first('citation_journal_title', 'og:site_name'),
    doi: first('citation_doi', 'dc.identifier.doi', 'prism.doi'),
    pmid: first('citation_pmid'),
    pdfUrl: absoluteUrl(first('citation_pdf_url'), url),
  };
}

function absoluteUrl(address: string | null, base: string): string | null {
  return address && URL.canParse(address, base) ? new URL(address, base).href : null;
}

function lengthOf(sections: Section[]): number {
  return sections.reduce((sum, { text }) => sum + text.length, 0);
}
