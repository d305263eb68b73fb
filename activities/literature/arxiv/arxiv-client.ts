import type { HostPolicy } from '../../../db/host-slots';
import { askHost } from '../ask-host';
import { SourceFailure } from '../failure';
import { statusFailure } from '../http-failure';
import type { HttpAnswer } from '../literature-http';
import type { LiteratureSettings } from '../literature-settings';
import type { LiteratureContext } from '../source';
import { sourceHost } from '../source-host';
import { type ArxivFeed, readArxivFeed } from './arxiv-feed';

/**
 * One request to the arXiv API.
 * @throws SourceFailure
 */
export async function askArxiv(
  settings: LiteratureSettings,
  context: LiteratureContext,
  parameters: Record<string, string>,
): Promise<ArxivFeed> {
  const url = new URL('api/query', settings.baseUrls.arxiv);
  url.search = new URLSearchParams(parameters).toString();
  return askHost(context, {
    policy: arxivHost(settings),
    request: {
      url: url.href,
      headers: { accept: 'application/atom+xml, application/xml' },
      timeoutMs: REQUEST_TIMEOUT_MS,
      maxBytes: 10_000_000,
      whenTooLarge: 'fail',
      isSingleConnection: true,
    },
    read: (answer) => {
      const text = new TextDecoder().decode(answer.bytes);
      throwRefusal(answer, text, context.now());
      return readArxivFeed(text);
    },
  });
}

/** One request in 3 s and one connection at a time, for all workers together (info.arxiv.org/help/api/tou.html); with a margin. */
export function arxivHost({ baseUrls }: LiteratureSettings): HostPolicy {
  return sourceHost(baseUrls.arxiv, 3_500, { leaseMs: REQUEST_TIMEOUT_MS + 10_000 });
}

export const REQUEST_TIMEOUT_MS = 20_000;

/** Throttling comes as 429, as 406, or as words; a feed of an error may have status 400. */
export function throwRefusal(answer: HttpAnswer, text: string, now: Date): void {
  if (answer.status === 406 || /^\s*rate exceeded/i.test(text)) throw new SourceFailure('rate_limited');
  if (answer.status === 403) throw new SourceFailure('blocked', 'arXiv denies access at the moment.');
  const failure = statusFailure(answer, now);
  if (failure && !(answer.status === 400 && text.includes('<feed'))) throw failure;
}
