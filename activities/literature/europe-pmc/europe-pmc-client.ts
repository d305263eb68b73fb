import type { HostPolicy } from '../../../db/host-slots';
import { askHost } from '../ask-host';
import { SourceFailure } from '../failure';
import type { FoundDocument, Section } from '../findings';
import { statusFailure } from '../http-failure';
import { asObject, objectAt, objectsIn, parseJsonObject, textIn } from '../json-answer';
import type { HttpAnswer } from '../literature-http';
import type { LiteratureSettings } from '../literature-settings';
import type { LiteratureContext } from '../source';
import { sourceHost } from '../source-host';
import { readEuropePmcRecord } from './europe-pmc-record';
import { readJats } from './jats-text';

export interface EuropePmcHits {
  total: number;
  documents: FoundDocument[];
  /** Records that could not be read. */
  unreadable: number;
}

/**
 * The `search` service, `resultType=core` (the only one with abstracts).
 * @throws SourceFailure
 */
export async function searchEuropePmc(
  settings: LiteratureSettings,
  context: LiteratureContext,
  search: { query: string; maxResults: number; sort: string | null },
): Promise<EuropePmcHits> {
  const url = new URL('search', settings.baseUrls.europePmc);
  url.search = new URLSearchParams({
    query: search.query,
    format: 'json',
    resultType: 'core',
    pageSize: String(search.maxResults),
    cursorMark: '*',
    ...(search.sort ? { sort: search.sort } : {}),
    ...(settings.contactEmail ? { email: settings.contactEmail } : {}),
  }).toString();
  return askHost(context, {
    policy: europePmcHost(settings),
    request: { url: url.href, timeoutMs: 15_000, maxBytes: 20_000_000, whenTooLarge: 'fail' },
    read: (answer) => readHits(answer, context.now()),
  });
}

/**
 * Open-access full text as sections.
 * @param pmcid `PMC` and digits
 * @returns null when there is none in the open
 * @throws SourceFailure
 */
export async function fetchFullText(
  settings: LiteratureSettings,
  context: LiteratureContext,
  pmcid: string,
): Promise<Section[] | null> {
  return askHost(context, {
    policy: europePmcHost(settings),
    request: {
      url: new URL(`${pmcid}/fullTextXML`, settings.baseUrls.europePmc).href,
      timeoutMs: 15_000,
      maxBytes: 20_000_000,
      whenTooLarge: 'fail',
    },
    read: (answer) => {
      if (answer.status === 404) return null;
      const failure = statusFailure(answer, context.now());
      if (failure) throw failure;
      return readJats(new TextDecoder().decode(answer.bytes));
    },
  });
}

/** No limit is published; clients that are not blocked keep to about 5 requests a second. */
function europePmcHost({ baseUrls }: LiteratureSettings): HostPolicy {
  return sourceHost(baseUrls.europePmc, 250);
}

/** Errors come with status 200; a rejected parameter gives a body of a version alone. So both parts are demanded. */
function readHits(answer: HttpAnswer, now: Date): EuropePmcHits {
  const text = new TextDecoder().decode(answer.bytes);
  const status = statusFailure(answer, now);
  if (status && status.kind !== 'bad_query') throw status;
  const body = parseJsonObject(text);
  const message = textIn(body?.errMsg) ?? (/<errMsg>([^<]*)/.exec(text)?.[1] || null);
  if (message !== null || body?.errCode !== undefined)
    throw new SourceFailure('bad_query', null, message ? { quoted: message } : {});
  if (status) throw status;
  const results = objectAt(body, 'resultList')?.result;
  const records = Array.isArray(results) ? results.map(asObject) : objectsIn(results);
  const total = body?.hitCount;
  if (!body || typeof total !== 'number' || !records)
    throw new SourceFailure('unreadable', 'The search answer has no count or no list.');
  const documents = records.flatMap((record) => (record ? (readEuropePmcRecord(record) ?? []) : []));
  if (total > 0 && documents.length === 0)
    throw new SourceFailure('unreadable', 'Europe PMC says that works match, but none can be read.');
  return { total, documents, unreadable: records.length - documents.length };
}
