import { arxivIdOfDoi, normaliseArxivId, normaliseDoi, normalisePmid } from './article-ids';
import { decodeFully } from './decode-fully';
import { type ArticleRef, articleOf } from './normalise-url';
import type { WithheldPaper, WorkIds } from './source';

/** Says whether something is one of the papers that hold the answer key. */
export interface WithheldCheck {
  isEmpty: boolean;
  /** By the id in it, or by an id standing anywhere in it: mirrors keep it in their paths. */
  matchesUrl(url: string): boolean;
  matchesIds(ids: WorkIds): boolean;
  /** A title that is, or holds, one of the papers' titles. */
  matchesTitle(title: string): boolean;
  /** A page or PDF whose first words hold the title: a copy under another address. */
  matchesOpening(text: string): boolean;
}

/**
 * A gold set's source as a paper to withhold: whatever id its `id` or `url` holds, and its title.
 * @param source as gold sets name theirs
 */
export function withheldPapersOf(source: { title: string; id: string; url: string }): WithheldPaper[] {
  const articles = [articleOf(source.id), articleOf(source.url)].filter((article) => article !== null);
  const idOf = (kind: ArticleRef['kind']) => articles.find((article) => article.kind === kind)?.id ?? null;
  return [{ doi: idOf('doi'), arxivId: idOf('arxiv'), pmid: idOf('pmid'), titles: [source.title] }];
}

/** @param papers ids in any spelling */
export function withheldCheck(papers: readonly WithheldPaper[]): WithheldCheck {
  const keys = papers.map(readPaper);
  return {
    isEmpty: keys.length === 0,
    matchesUrl: (url) => keys.some((key) => isNamedBy(url, key)),
    matchesIds: (ids) =>
      keys.some(
        (key) =>
          (ids.doi !== null && key.dois.includes(ids.doi)) ||
          (ids.pmid !== null && ids.pmid === key.pmid) ||
          (ids.arxivId !== null && ids.arxivId === key.arxivId),
      ),
    matchesTitle: (title) => holdsTitle(title, keys),
    matchesOpening: (text) => holdsTitle(text.slice(0, OPENING_CHARS), keys),
  };
}

/** Long enough for a journal's head matter, short enough not to meet the title in a list of references. */
const OPENING_CHARS = 1500;
/** A shorter title is matched only as a whole: "Leukemia" stands in many others. */
const MIN_PART_CHARS = 20;

interface PaperKey {
  dois: string[];
  arxivId: string | null;
  pmid: string | null;
  titles: string[];
}

function readPaper(paper: WithheldPaper): PaperKey {
  const doi = paper.doi ? normaliseDoi(paper.doi) : null;
  const arxivId = paper.arxivId ? normaliseArxivId(paper.arxivId) : doi ? arxivIdOfDoi(doi) : null;
  return {
    dois: [doi, arxivId ? `10.48550/arxiv.${arxivId}` : null].filter((id) => id !== null),
    arxivId,
    pmid: paper.pmid ? normalisePmid(paper.pmid) : null,
    titles: paper.titles.map(foldTitle).filter((title) => title !== ''),
  };
}

function isNamedBy(url: string, { dois, arxivId, pmid }: PaperKey): boolean {
  const article = articleOf(url);
  if (article?.kind === 'pmid' && article.id === pmid) return true;
  if (article?.kind === 'arxiv' && article.id === arxivId) return true;
  if (article?.kind === 'doi' && dois.includes(article.id)) return true;
  const plain = decodeFully(url).toLowerCase();
  return [...dois, arxivId].some((id) => id !== null && holdsToken(plain, id));
}

/** As a whole: `2502.18864` is in `…/2502.18864v2`, not in `…/12502.188645`. */
function holdsToken(text: string, id: string): boolean {
  for (let at = text.indexOf(id); at >= 0; at = text.indexOf(id, at + 1)) {
    const rest = text.slice(at + id.length, at + id.length + 2);
    const isCut = /[\da-z.]/.test(text[at - 1] ?? '') || (/^[\da-z]/.test(rest) && !/^v\d/.test(rest));
    if (!isCut) return true;
  }
  return false;
}

function holdsTitle(text: string, keys: readonly PaperKey[]): boolean {
  const folded = foldTitle(text);
  return keys.some(({ titles }) =>
    titles.some((title) => folded === title || (title.length >= MIN_PART_CHARS && folded.includes(title))),
  );
}

/** Letters and digits only, in lower case and without marks: layout, dashes and quotes differ from copy to copy. */
function foldTitle(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}
