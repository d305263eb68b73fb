import { parseArxivId } from '../article-ids';
import { arxivHost, askArxiv, REQUEST_TIMEOUT_MS, throwRefusal } from '../arxiv/arxiv-client';
import { askHost } from '../ask-host';
import { fetchFullText, searchEuropePmc } from '../europe-pmc/europe-pmc-client';
import { SourceFailure } from '../failure';
import type { FoundDocument } from '../findings';
import type { LiteratureSettings } from '../literature-settings';
import type { ArticleRef } from '../normalise-url';
import { fetchPubmedRecords } from '../pubmed/pubmed-client';
import type { LiteratureContext } from '../source';
import type { PageReader } from './page-reader';

/** What fetching an article by its id needs. */
export interface ArticleGate {
  settings: LiteratureSettings;
  reader: PageReader;
}

export interface FetchedArticle {
  document: FoundDocument;
  /** False when only the record could be had where the full text was asked for. */
  isWhole: boolean;
}

/**
 * An article from the service that gives it out to programs, rather than from its web page: records with their
 * retractions and withdrawals, and full text where it is open.
 * @returns null when no service has it and its web page is left to try (DOIs only)
 * @throws SourceFailure
 */
export async function fetchArticle(
  gate: ArticleGate,
  context: LiteratureContext,
  article: ArticleRef,
  address: string,
): Promise<FetchedArticle | null> {
  switch (article.kind) {
    case 'pmid':
      return fetchPubmedPage(gate, context, article.id);
    case 'arxiv':
      return fetchArxivPage(gate, context, article.id, arxivPart(address));
    case 'pmcid':
      return found(await fetchEuropePmcPage(gate, context, `PMCID:${article.id}`));
    case 'ppr':
      return found(await fetchEuropePmcPage(gate, context, `EXT_ID:${article.id} AND SRC:PPR`));
    case 'doi':
      return article.id.includes('"') ? null : fetchEuropePmcPage(gate, context, `DOI:"${article.id}"`);
  }
}

/** The record or the paper, and which version: what an arXiv address asks for. */
export function arxivPart(address: string): { isFullText: boolean; version: number | null } {
  const path = /\/(?:pdf|html|ps|e-print|src)\/(.+?)(?:\.pdf)?(?:[?#].*)?$/i.exec(address);
  const abstract = /\/(?:abs|format)\/(.+?)(?:[?#].*)?$/i.exec(address);
  const id = path?.[1] ?? abstract?.[1] ?? address;
  return { isFullText: path !== null, version: parseArxivId(id)?.version ?? null };
}

function found(article: FetchedArticle | null): FetchedArticle {
  if (!article) throw new SourceFailure('not_found');
  return article;
}

async function fetchPubmedPage(
  { settings }: ArticleGate,
  context: LiteratureContext,
  pmid: string,
): Promise<FetchedArticle> {
  const record = (await fetchPubmedRecords(settings, context, [pmid])).get(pmid);
  if (!record) throw new SourceFailure('not_found', 'PubMed has no such record.');
  const { pmcid } = record.ids;
  const remarks = pmcid
    ? [`The full text may be open: fetch_page https://europepmc.org/article/PMC/${pmcid}`]
    : ['PubMed holds abstracts only.'];
  return { document: { ...record, remarks: [...record.remarks, ...remarks] }, isWhole: true };
}

async function fetchEuropePmcPage(
  { settings }: ArticleGate,
  context: LiteratureContext,
  query: string,
): Promise<FetchedArticle | null> {
  const { documents } = await searchEuropePmc(settings, context, { query, maxResults: 1, sort: null });
  const record = documents[0];
  if (!record) return null;
  const { pmcid } = record.ids;
  const sections = pmcid && record.remarks.length > 0 ? await fetchFullText(settings, context, pmcid) : null;
  if (sections) return { document: { ...record, remarks: ['Open full text.'], sections }, isWhole: true };
  if (record.sections.length === 0) return null;
  return { document: { ...record, remarks: ['Abstract only: there is no open full text.'] }, isWhole: false };
}

/** The record is asked for without version, so that a withdrawal is seen whichever version is read. */
async function fetchArxivPage(
  gate: ArticleGate,
  context: LiteratureContext,
  id: string,
  { isFullText, version }: { isFullText: boolean; version: number | null },
): Promise<FetchedArticle> {
  const feed = await askArxiv(gate.settings, context, { id_list: id, max_results: '1' });
  const record = feed.documents.find((document) => document.ids.arxivId === id);
  if (!record) throw new SourceFailure('not_found', 'arXiv has no such paper.');
  if (!isFullText) {
    const remark = `Abstract; the paper itself: fetch_page https://arxiv.org/pdf/${id}`;
    return { document: { ...record, remarks: [...record.remarks, remark] }, isWhole: true };
  }
  const latest = arxivPart(record.url).version;
  const wanted = version ?? latest;
  const reading = await fetchArxivPdf(gate, context, wanted === null ? id : `${id}v${wanted}`);
  if (!reading) {
    const remark = 'Abstract only: arXiv gives out no readable PDF of this version.';
    return { document: { ...record, remarks: [...record.remarks, remark] }, isWhole: false };
  }
  const remarks = [
    `Full text of version ${wanted ?? 'unknown'}; the latest is ${latest ?? 'unknown'}.`,
    ...reading.remarks,
  ];
  const own = record.remarks.filter((remark) => !remark.startsWith('Version '));
  return {
    document: { ...record, remarks: [...own, ...remarks], sections: reading.sections },
    isWhole: true,
  };
}

async function fetchArxivPdf(
  { settings, reader }: ArticleGate,
  context: LiteratureContext,
  versionedId: string,
) {
  const bytes = await askHost(context, {
    policy: arxivHost(settings),
    request: {
      url: new URL(`pdf/${versionedId}`, settings.baseUrls.arxiv).href,
      headers: { accept: 'application/pdf' },
      timeoutMs: REQUEST_TIMEOUT_MS,
      maxBytes: 25_000_000,
      whenTooLarge: 'fail',
      isSingleConnection: true,
    },
    read: (answer) => {
      if (answer.status === 404) return null;
      throwRefusal(answer, '', context.now());
      return answer.bytes;
    },
  });
  if (!bytes || !Buffer.from(bytes.subarray(0, 1024)).includes('%PDF-')) return null;
  const reading = await reader.read({ kind: 'pdf', bytes, charset: null, url: versionedId }, context.signal);
  return reading.kind === 'read' ? reading : null;
}
