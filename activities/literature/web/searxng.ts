import { SourceFailure } from '../failure';
import { objectsIn, textIn } from '../json-answer';
import { sourceHost } from '../source-host';
import { isoDay, type WebHit, type WebSearchService } from './web-search-service';

/** An own SearXNG instance with `search.formats: [html, json]`; its address may be private. */
export function searxngService(baseUrl: string): WebSearchService {
  return {
    name: 'searxng',
    policy: sourceHost(baseUrl, 500),
    request: (query) => {
      const url = new URL('search', baseUrl);
      url.search = new URLSearchParams({ q: query, format: 'json' }).toString();
      return { url: url.href, headers: { accept: 'application/json' } };
    },
    refusal: ({ status }, body) => {
      if (status === 403)
        return new SourceFailure(
          'unauthorized',
          'This SearXNG instance does not give out JSON (search.formats).',
        );
      const isSilent = Array.isArray(body?.unresponsive_engines) && body.unresponsive_engines.length > 0;
      // No hits while its engines are down is no "nothing found".
      return status === 200 && isSilent && objectsIn(body?.results)?.length === 0
        ? new SourceFailure('server_error', 'The engines behind SearXNG did not answer.')
        : null;
    },
    hits: (body) =>
      objectsIn(body.results)?.flatMap((result): WebHit[] => {
        const url = textIn(result.url);
        if (!url) return [];
        const published = isoDay(textIn(result.publishedDate));
        return [{ url, title: textIn(result.title) ?? '', snippet: textIn(result.content) ?? '', published }];
      }) ?? null,
  };
}
