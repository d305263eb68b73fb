import { SourceFailure } from '../failure';
import type { HttpAnswer } from '../literature-http';
import type { LiteratureContext } from '../source';
import type { PageReader } from './page-reader';

const TTL_MS = 24 * 3_600_000;

/** Resolvers hold no pages: what counts is the site they lead to. */
const RESOLVERS = ['doi.org', 'dx.doi.org'];

/**
 * Obeys the site's robots.txt (RFC 9309): a 4xx means there are no rules, a 5xx that nothing is allowed. Its text is
 * kept for a day.
 * @param fetchText follows redirects and checks addresses as for any page
 * @throws SourceFailure `robots`
 */
export async function obeyRobots(
  reader: PageReader,
  context: LiteratureContext,
  url: URL,
  fetchText: (url: URL) => Promise<HttpAnswer>,
): Promise<void> {
  if (RESOLVERS.includes(url.hostname)) return;
  const address = new URL('/robots.txt', url);
  const question = { tool: 'robots.txt', request: { url: address.href } };
  const known = await context.cache.get(question);
  const rules = known ?? (await context.cache.put(question, await readRules(address, fetchText), TTL_MS));
  if (typeof rules !== 'string') throw new SourceFailure('robots', 'Its rules could not be read.');
  if (rules.trim() === '') return;
  const asked = reader.isAllowed({ address: address.href, rules, url: url.href }, context.signal);
  const isAllowed = await asked.catch((error: unknown) => {
    if (!(error instanceof SourceFailure)) throw error;
    throw new SourceFailure('robots', 'Its rules take too long to read.');
  });
  if (!isAllowed) throw new SourceFailure('robots');
}

async function readRules(address: URL, fetchText: (url: URL) => Promise<HttpAnswer>): Promise<string> {
  const answer = await fetchText(address);
  if (answer.status >= 500)
    throw new SourceFailure('robots', 'The site could not say its rules (robots.txt).');
  return answer.status === 200 ? new TextDecoder().decode(answer.bytes) : '';
}
