import { z } from 'zod';
import { askHost } from '../ask-host';
import { SourceFailure } from '../failure';
import { dayOf, type FoundDocument } from '../findings';
import { statusFailure } from '../http-failure';
import { parseJsonObject } from '../json-answer';
import type { HttpAnswer } from '../literature-http';
import type { LiteratureSettings } from '../literature-settings';
import { literatureTool } from '../literature-tool';
import { idsInUrl, parseHttpUrl } from '../normalise-url';
import { maxResultsArgument, oneLine, queryArgument } from '../search-arguments';
import type { LiteratureContext, LiteratureSource } from '../source';
import { titleFlags } from '../title-flags';
import { braveService } from './brave';
import { searxngService } from './searxng';
import { tavilyService } from './tavily';
import type { WebHit, WebSearchService } from './web-search-service';

const schema = z.strictObject({
  query: queryArgument('Words to search the web for.'),
  maxResults: maxResultsArgument,
});

/** The web by Tavily, Brave or SearXNG, whichever comes first in the settings; null when there is none. */
export function searchWebSource(settings: LiteratureSettings): LiteratureSource | null {
  const service = webSearchService(settings);
  if (!service) return null;
  return literatureTool({
    name: 'search_web',
    description:
      'Searches the web and returns titles, addresses and cut snippets. A snippet is no quotation: fetch the page before quoting.',
    schema,
    readingVersion: 1,
    question: (args) => ({
      ...args,
      query: oneLine(args.query),
      service: service.name,
      host: service.policy.host,
    }),
    view: () => ({ offset: 0, maxChars: 1200 }),
    async ask(args, context) {
      const documents = await searchWeb(service, context, oneLine(args.query), args.maxResults);
      return {
        outcome: documents.length > 0 ? 'found' : 'nothing_found',
        documents,
        total: null,
        notes: [],
        receivedOn: dayOf(context.now()),
      };
    },
  });
}

/** Why `search_web` cannot be offered. */
export const NO_WEB_SEARCH = 'none of TAVILY_API_KEY, BRAVE_API_KEY and SEARXNG_BASE_URL is set';

function webSearchService({
  tavilyApiKey,
  braveApiKey,
  baseUrls,
}: LiteratureSettings): WebSearchService | null {
  if (tavilyApiKey) return tavilyService(baseUrls.tavily, tavilyApiKey);
  if (braveApiKey) return braveService(baseUrls.brave, braveApiKey);
  return baseUrls.searxng ? searxngService(baseUrls.searxng) : null;
}

async function searchWeb(
  service: WebSearchService,
  context: LiteratureContext,
  query: string,
  maxResults: number,
): Promise<FoundDocument[]> {
  const hits = await askHost(context, {
    policy: service.policy,
    request: {
      ...service.request(query, maxResults),
      timeoutMs: 15_000,
      maxBytes: 5_000_000,
      whenTooLarge: 'fail',
    },
    read: (answer) => readHits(service, answer, context.now()),
  });
  return hits.flatMap(readHit).slice(0, maxResults);
}

function readHits(service: WebSearchService, answer: HttpAnswer, now: Date): WebHit[] {
  const body = parseJsonObject(new TextDecoder().decode(answer.bytes));
  const failure = service.refusal(answer, body) ?? statusFailure(answer, now);
  if (failure) throw failure;
  const hits = body && service.hits(body);
  if (!hits) throw new SourceFailure('unreadable', 'The search answer has no list of results.');
  return hits;
}

/** Addresses that are no http(s) URL are dropped: they could be neither fetched nor cited. */
function readHit({ url, title, snippet, published }: WebHit): FoundDocument[] {
  const parsed = parseHttpUrl(url);
  if (!parsed) return [];
  return [
    {
      url: parsed.href,
      alsoAt: [],
      title: title || null,
      authors: [],
      published,
      venue: parsed.hostname,
      ids: idsInUrl(parsed.href),
      flags: titleFlags(title),
      remarks: [],
      sections: [{ label: null, text: snippet }],
    },
  ];
}
