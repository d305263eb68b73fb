import type { HostPolicy } from '../../../db/host-slots';
import { normalisePmid } from '../article-ids';
import { askHost } from '../ask-host';
import { SourceFailure } from '../failure';
import type { FoundDocument } from '../findings';
import { statusFailure } from '../http-failure';
import { type JsonObject, objectAt, parseJsonObject, stringsIn, textIn } from '../json-answer';
import type { HttpAnswer } from '../literature-http';
import { type LiteratureSettings, TOOL_NAME } from '../literature-settings';
import type { LiteratureContext } from '../source';
import { sourceHost } from '../source-host';
import { children, parseXml, textOf } from '../strict-xml';
import { readPubmedRecord } from './pubmed-record';

export interface PubmedSearch {
  term: string;
  maxResults: number;
  sort: 'relevance' | 'pub_date';
  fromYear: number | null;
  toYear: number | null;
}

/** What a search matched; order as PubMed ranks. */
export interface PubmedHits {
  total: number;
  pmids: string[];
  /** The query as PubMed understood it: it is this that was searched. */
  searchedAs: string | null;
  /** Words that PubMed dropped from the query, which widens it. */
  notFound: string[];
  warnings: string[];
}

/**
 * E-utilities `esearch`, JSON.
 * @throws SourceFailure
 */
export async function searchPubmed(
  settings: LiteratureSettings,
  context: LiteratureContext,
  search: PubmedSearch,
): Promise<PubmedHits> {
  const dates: Record<string, string> =
    search.fromYear === null && search.toYear === null
      ? {}
      : {
          datetype: 'pdat',
          mindate: String(search.fromYear ?? 1700),
          maxdate: String(search.toYear ?? 3000),
        };
  return askHost(context, {
    policy: pubmedHost(settings),
    request: eutilsRequest(settings, 'esearch.fcgi', {
      term: search.term,
      retmode: 'json',
      retmax: String(search.maxResults),
      sort: search.sort,
      ...dates,
    }),
    read: (answer) => readHits(answer, context.now()),
  });
}

/**
 * E-utilities `efetch`, XML: the only source of abstracts.
 * @returns records by PMID; ids that PubMed does not know are absent
 * @throws SourceFailure
 */
export async function fetchPubmedRecords(
  settings: LiteratureSettings,
  context: LiteratureContext,
  pmids: readonly string[],
): Promise<Map<string, FoundDocument>> {
  return askHost(context, {
    policy: pubmedHost(settings),
    request: eutilsRequest(settings, 'efetch.fcgi', { id: pmids.join(','), retmode: 'xml' }),
    read: (answer) => readRecords(answer, context.now()),
  });
}

/** 3 requests a second without a key and 10 with one, kept with a margin for requests that start late. */
function pubmedHost({ baseUrls, ncbiApiKey }: LiteratureSettings): HostPolicy {
  return sourceHost(baseUrls.pubmed, ncbiApiKey ? 120 : 430, { credential: ncbiApiKey });
}

function eutilsRequest(settings: LiteratureSettings, program: string, parameters: Record<string, string>) {
  const url = new URL(program, settings.baseUrls.pubmed);
  const etiquette = {
    tool: TOOL_NAME,
    ...(settings.contactEmail ? { email: settings.contactEmail } : {}),
    ...(settings.ncbiApiKey ? { api_key: settings.ncbiApiKey } : {}),
  };
  url.search = new URLSearchParams({ db: 'pubmed', ...parameters, ...etiquette }).toString();
  return { url: url.href, timeoutMs: 12_000, maxBytes: 20_000_000, whenTooLarge: 'fail' as const };
}

function readHits(answer: HttpAnswer, now: Date): PubmedHits {
  const text = new TextDecoder().decode(answer.bytes);
  throwStatus(answer, now);
  const body = parseJsonObject(text);
  const failure = errorIn(body, text) ?? statusFailure(answer, now);
  if (failure) throw failure;
  const result = objectAt(body, 'esearchresult');
  const ids = result?.idlist;
  const total = Number(result?.count);
  if (!result || !Array.isArray(ids) || !/^\d+$/.test(String(result.count)))
    throw new SourceFailure('unreadable', 'The search answer has no count or no list.');
  const pmids = ids.map((id) => normalisePmid(String(id)));
  if (pmids.includes(null) || (total > 0 && pmids.length === 0))
    throw new SourceFailure('unreadable', 'The list of the search answer does not fit its count.');
  const errors = objectAt(result, 'errorlist');
  const warnings = objectAt(result, 'warninglist');
  return {
    total,
    pmids: pmids.filter((id) => id !== null),
    searchedAs: typeof result.querytranslation === 'string' ? result.querytranslation : null,
    notFound: [...stringsIn(errors?.phrasesnotfound), ...stringsIn(errors?.fieldsnotfound)],
    warnings: [...stringsIn(warnings?.quotedphrasesnotfound), ...stringsIn(warnings?.outputmessages)],
  };
}

/** A refused query (400) says more in its body; every other status says enough. */
function throwStatus(answer: HttpAnswer, now: Date): void {
  const failure = statusFailure(answer, now);
  if (failure && failure.kind !== 'bad_query') throw failure;
}

/** Some errors are invalid JSON (a raw line break in a string), and most come with status 200. */
function errorIn(body: JsonObject | null, text: string): SourceFailure | null {
  if (body === null) {
    const message = /"error"\s*:\s*"([^"]*)/i.exec(text)?.[1];
    return message === undefined ? unreadableJson(text) : failureOf(message);
  }
  const message = textIn(body.error) ?? textIn(objectAt(body, 'esearchresult')?.ERROR);
  return message === null ? null : failureOf(message);
}

function unreadableJson(text: string): SourceFailure {
  return new SourceFailure(
    'unreadable',
    text.trimStart().startsWith('<') ? 'It is markup where JSON was asked for.' : 'It is not JSON.',
  );
}

function failureOf(message: string): SourceFailure {
  const quoted = message.trim();
  if (/rate limit exceeded/i.test(quoted)) return new SourceFailure('rate_limited');
  if (/api key/i.test(quoted)) return new SourceFailure('unauthorized', 'NCBI does not know the API key.');
  if (/backend failed|not supported: pubmed|temporarily|timed? ?out|exception|unable to/i.test(quoted))
    return new SourceFailure('server_error', null, { quoted });
  return new SourceFailure('bad_query', null, { quoted });
}

function readRecords(answer: HttpAnswer, now: Date): Map<string, FoundDocument> {
  throwStatus(answer, now);
  if (answer.status === 400) return new Map(); // one of the ways to say that it knows none of the ids
  const text = new TextDecoder().decode(answer.bytes);
  if (text.trimStart().startsWith('{'))
    throw (
      errorIn(parseJsonObject(text), text) ??
      new SourceFailure('unreadable', 'It is JSON where XML was asked for.')
    );
  const root = parseXml(text);
  if (root.localName !== 'PubmedArticleSet') {
    const message = textOf(root.localName === 'ERROR' ? root : (children(root, 'ERROR')[0] ?? null));
    throw new SourceFailure('server_error', null, message ? { quoted: message } : {});
  }
  const documents = children(root).flatMap((record) => readPubmedRecord(record) ?? []);
  return new Map(documents.map((document) => [document.ids.pmid ?? '', document]));
}
