import { SourceFailure } from '../failure';
import { objectAt, objectsIn, textIn } from '../json-answer';
import { sourceHost } from '../source-host';
import { isoDay, type WebHit, type WebSearchService } from './web-search-service';

/** Tavily, `POST /search`: 100 requests a minute with a development key. */
export function tavilyService(baseUrl: string, apiKey: string): WebSearchService {
  return {
    name: 'tavily',
    policy: sourceHost(baseUrl, 620, { credential: apiKey }),
    request: (query, maxResults) => ({
      url: new URL('search', baseUrl).href,
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
      body: JSON.stringify({ query, max_results: maxResults, search_depth: 'basic' }),
    }),
    refusal: ({ status }, body) => {
      // 432: the plan's limit; 433: the pay-as-you-go limit.
      if (status === 432 || status === 433) return new SourceFailure('quota');
      const message = textIn(objectAt(body, 'detail')?.error);
      return status === 400 && message ? new SourceFailure('bad_query', null, { quoted: message }) : null;
    },
    hits: (body) =>
      objectsIn(body.results)?.flatMap((result): WebHit[] => {
        const url = textIn(result.url);
        if (!url) return [];
        const published = isoDay(textIn(result.published_date));
        return [{ url, title: textIn(result.title) ?? '', snippet: textIn(result.content) ?? '', published }];
      }) ?? null,
  };
}
