import { compareText } from '../../core/compare-text';
import {
  arxivIdOfDoi,
  normaliseArxivId,
  normaliseDoi,
  normalisePmcid,
  normalisePmid,
  normalisePpr,
} from './article-ids';
import type { LiteratureDocument, WorkIds } from './source';

/** A work that an address names by one of its ids. */
export interface ArticleRef {
  kind: 'doi' | 'pmid' | 'pmcid' | 'arxiv' | 'ppr';
  id: string;
}

/**
 * One spelling for all addresses of one thing, for `seen_urls` and the cache. Forms of an article by DOI, PMID,
 * PMCID or arXiv id (URLs of several sites, `doi:…`, `PMID: …`, `PMC…`, `arXiv:…`) become that id's own URL; other
 * addresses lose scheme differences, `www.`, default port, user info, fragment, trailing slash, tracking parameters
 * and parameter order. Idempotent. null for what is neither http(s) nor such an id.
 * @example canonicalUrl('http://arXiv.org/pdf/2502.18864v2.pdf') === 'https://arxiv.org/abs/2502.18864'
 */
export function canonicalUrl(text: string): string | null {
  let form = normaliseOnce(text);
  // Undoing one escape can bring forth another, or a form known above: until nothing changes any more.
  for (let round = 0; form !== null && round < MAX_ROUNDS; round++) {
    const next = normaliseOnce(form);
    if (next === form) break;
    form = next;
  }
  return form;
}

const MAX_ROUNDS = 50;

function normaliseOnce(text: string): string | null {
  const article = articleOf(text);
  if (article) return articleUrl(article);
  const url = parseHttpUrl(text);
  return url ? normalisePlainUrl(url) : null;
}

/** The article that an address or a written id names; null when it names none that is known by its form. */
export function articleOf(text: string): ArticleRef | null {
  const url = parseHttpUrl(text);
  return url ? articleOfUrl(url) : articleOfId(text);
}

export function articleUrl({ kind, id }: ArticleRef): string {
  switch (kind) {
    case 'doi':
      // What would end the path or be read as an escape is escaped; the rest stays legible.
      return `https://doi.org/${encodeURI(id).replace(/[?#]/g, encodeURIComponent)}`;
    case 'pmid':
      return `https://pubmed.ncbi.nlm.nih.gov/${id}`;
    case 'pmcid':
      return `https://pmc.ncbi.nlm.nih.gov/articles/${id}`;
    case 'arxiv':
      return `https://arxiv.org/abs/${id}`;
    case 'ppr':
      return `https://europepmc.org/article/ppr/${id}`;
  }
}

/** All canonical addresses of a work: by each of its ids, strongest first, then the address it was found at. */
export function canonicalForms(ids: WorkIds, url: string): string[] {
  const refs: (ArticleRef | null)[] = [
    ids.doi ? { kind: 'doi', id: ids.doi } : null,
    ids.pmid ? { kind: 'pmid', id: ids.pmid } : null,
    ids.pmcid ? { kind: 'pmcid', id: ids.pmcid } : null,
    ids.arxivId ? { kind: 'arxiv', id: ids.arxivId } : null,
  ];
  const forms = refs.flatMap((ref) => (ref ? [canonicalUrl(articleUrl(ref))] : []));
  return [...new Set([...forms, canonicalUrl(url)])].filter((form) => form !== null);
}

/** Everything under which a document may be cited, in canonical form: what `seen_urls` holds of it. */
export function seenUrls(document: Pick<LiteratureDocument, 'canonicalUrl' | 'alsoAt'>): string[] {
  return [...new Set([document.canonicalUrl, ...document.alsoAt])];
}

/** The id that an address names, if it is one of a known site. */
export function idsInUrl(url: string): WorkIds {
  const article = articleOf(url);
  const idOf = (kind: ArticleRef['kind']) => (article?.kind === kind ? article.id : null);
  return { doi: idOf('doi'), pmid: idOf('pmid'), pmcid: idOf('pmcid'), arxivId: idOf('arxiv') };
}

/** http and https only; null for anything else. */
export function parseHttpUrl(text: string): URL | null {
  const trimmed = text.trim();
  if (!/^https?:\/\//i.test(trimmed)) return null;
  try {
    return new URL(trimmed);
  } catch {
    return null;
  }
}

function articleOfId(text: string): ArticleRef | null {
  const doi = normaliseDoi(text);
  if (doi) return refOfDoi(doi);
  const pmcid = normalisePmcid(text);
  if (pmcid) return { kind: 'pmcid', id: pmcid };
  const ppr = normalisePpr(text);
  if (ppr) return { kind: 'ppr', id: ppr };
  const arxivId = normaliseArxivId(text);
  if (arxivId) return { kind: 'arxiv', id: arxivId };
  // Bare digits could be anything.
  const pmid = /^\s*pmid/i.test(text) ? normalisePmid(text) : null;
  return pmid ? { kind: 'pmid', id: pmid } : null;
}

function refOfDoi(doi: string): ArticleRef {
  const arxivId = arxivIdOfDoi(doi);
  return arxivId ? { kind: 'arxiv', id: arxivId } : { kind: 'doi', id: doi };
}

function articleOfUrl(url: URL): ArticleRef | null {
  const host = plainHost(url);
  const path = safeDecode(url.pathname).replace(/\/+$/, '');
  for (const { hosts, read } of ARTICLE_SITES) {
    if (!hosts.includes(host)) continue;
    const article = read(path);
    if (article) return article;
  }
  return null;
}

/** Sites whose paths name an article by an id. Only these: elsewhere a path may say anything. */
const ARTICLE_SITES: { hosts: string[]; read(path: string): ArticleRef | null }[] = [
  {
    hosts: ['doi.org', 'dx.doi.org'],
    read: (path) => doiRef(path.slice(1)),
  },
  {
    hosts: ['pubmed.ncbi.nlm.nih.gov', 'm.pubmed.ncbi.nlm.nih.gov'],
    read: (path) => ref('pmid', normalisePmid(path.split('/')[1] ?? '')),
  },
  {
    hosts: ['ncbi.nlm.nih.gov'],
    read: (path) =>
      ref('pmid', normalisePmid(/^\/(?:m\/)?pubmed\/(\d+)$/i.exec(path)?.[1] ?? '')) ??
      ref('pmcid', normalisePmcid(/^\/(?:m\/)?pmc\/articles\/(PMC\d+)(?:[./]|$)/i.exec(path)?.[1] ?? '')),
  },
  {
    hosts: ['pmc.ncbi.nlm.nih.gov', 'europepmc.org'],
    read: (path) => ref('pmcid', normalisePmcid(/^\/articles\/(PMC\d+)(?:[./]|$)/i.exec(path)?.[1] ?? '')),
  },
  { hosts: ['europepmc.org'], read: readEuropePmcPath },
  {
    hosts: ['arxiv.org', 'export.arxiv.org'],
    read: (path) => {
      const id = /^\/(?:abs|pdf|html|format|ps|e-print|src)\/(.+?)(?:\.pdf)?$/i.exec(path)?.[1];
      return ref('arxiv', normaliseArxivId(id ?? ''));
    },
  },
  {
    hosts: ['biorxiv.org', 'medrxiv.org'],
    read: (path) =>
      doiRef(/^\/content\/(10\.\d+\/[\d.]+?)(?:v\d+)?(?:\.[a-z][a-z.-]*)?$/i.exec(path)?.[1] ?? ''),
  },
  {
    hosts: [
      'onlinelibrary.wiley.com',
      'pubs.acs.org',
      'tandfonline.com',
      'science.org',
      'pnas.org',
      'ashpublications.org',
      'journals.sagepub.com',
      'ascopubs.org',
      'annualreviews.org',
      'nejm.org',
      'liebertpub.com',
      'dl.acm.org',
    ],
    read: (path) =>
      doiRef(
        /^\/doi\/(?:abs|full|pdf|epdf|pdfplus|pdfdirect|suppl|reader)?\/?(10\..+)$/i.exec(path)?.[1] ?? '',
      ),
  },
  {
    hosts: ['link.springer.com'],
    read: (path) =>
      doiRef(/^\/(?:article|chapter|content\/pdf)\/(10\..+?)(?:\.pdf)?$/i.exec(path)?.[1] ?? ''),
  },
];

function readEuropePmcPath(path: string): ArticleRef | null {
  const match = /^\/(?:article|abstract)\/(med|pmc|ppr)\/((?:pmc|ppr)?\d+)$/i.exec(path);
  if (!match?.[1] || !match[2]) return null;
  switch (match[1].toLowerCase()) {
    case 'med':
      return ref('pmid', normalisePmid(match[2]));
    case 'pmc':
      return ref('pmcid', normalisePmcid(match[2].replace(/^(?=\d)/, 'PMC')));
    default:
      return ref('ppr', normalisePpr(match[2]));
  }
}

function ref(kind: ArticleRef['kind'], id: string | null): ArticleRef | null {
  return id ? { kind, id } : null;
}

function doiRef(text: string): ArticleRef | null {
  const doi = normaliseDoi(text);
  return doi ? refOfDoi(doi) : null;
}

function normalisePlainUrl(url: URL): string {
  const params = [...url.searchParams]
    .filter(([name]) => !TRACKING.test(name))
    .sort(([a, av], [b, bv]) => compareText(a, b) || compareText(av, bv));
  const query = new URLSearchParams(params).toString();
  const port = url.port && !['80', '443'].includes(url.port) ? `:${url.port}` : '';
  const path = normaliseEscapes(url.pathname).replace(/\/+$/, '');
  return `https://${plainHost(url)}${port}${path || '/'}${query ? `?${query}` : ''}`;
}

/** Parameters that say where a reader came from, not what he reads. */
const TRACKING =
  /^(?:utm_.*|fbclid|gclid|dclid|gbraid|wbraid|msclkid|yclid|twclid|igshid|mc_[ce]id|_ga|_gl|_hs(?:enc|mi)|ref_?src|spm|cmpid|ito|campaign_?id)$/i;

/** Host in lower case (as `URL` gives it), without `www.` and the root's dot. */
function plainHost(url: URL): string {
  const host = url.hostname.replace(/\.$/, '').replace(/^(?:www\d?\.)+/, '');
  return host.includes('.') ? host : url.hostname;
}

/** Escapes in capitals, and none where the character may stand for itself (RFC 3986, 6.2.2). */
function normaliseEscapes(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, (escaped) => {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : escaped.toUpperCase();
  });
}

function safeDecode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
