import { SourceFailure } from '../failure';
import { objectAt, objectsIn, textIn } from '../json-answer';
import { fragmentLine } from '../markup-text';
import { sourceHost } from '../source-host';
import { isoDay, type WebHit, type WebSearchService } from './web-search-service';

/** Brave, `GET /res/v1/web/search`: one request a second with a free key; 400 characters and 50 words. */
export function braveService(baseUrl: string, apiKey: string): WebSearchService {
  return {
    name: 'brave',
    policy: sourceHost(baseUrl, 1_150, { credential: apiKey }),
    request: (query, maxResults) => {
      const url = new URL('web/search', baseUrl);
      url.search = new URLSearchParams({
        q: query.slice(0, 400).split(' ').slice(0, 50).join(' '),
        count: String(maxResults),
        text_decorations: 'false',
      }).toString();
      return { url: url.href, headers: { accept: 'application/json', 'x-subscription-token': apiKey } };
    },
    refusal: ({ status }, body) => {
      const code = textIn(objectAt(body, 'error')?.code);
      // Both come with 429: one passes in a second, the other at the end of the month.
      if (code === 'QUOTA_LIMITED') return new SourceFailure('quota');
      if (code === 'SUBSCRIPTION_TOKEN_INVALID') return new SourceFailure('unauthorized');
      return status === 422 && code ? new SourceFailure('bad_query', null, { quoted: code }) : null;
    },
    hits: (body) => {
      if (textIn(body.type) !== 'search') return null;
      // Without a single hit the part `web` is absent.
      const results = body.web === undefined ? [] : objectsIn(objectAt(body, 'web')?.results);
      return (
        results?.flatMap((result): WebHit[] => {
          const url = textIn(result.url);
          if (!url) return [];
          return [
            {
              url,
              title: fragmentLine(textIn(result.title) ?? ''),
              snippet: fragmentLine(textIn(result.description) ?? ''),
              published: isoDay(textIn(result.page_age)),
            },
          ];
        }) ?? null
      );
    },
  };
}
