import { askHost } from '../ask-host';
import { SourceFailure } from '../failure';
import { statusFailure } from '../http-failure';
import type { HttpAnswer, HttpRequest } from '../literature-http';
import { parseHttpUrl } from '../normalise-url';
import type { LiteratureContext } from '../source';
import { sourceHost } from '../source-host';
import { withheldCheck } from '../withheld';
import type { PageReader } from './page-reader';
import { obeyRobots } from './robots';

export interface WebPage {
  answer: HttpAnswer;
  url: URL;
  /** Addresses that led there, the asked one first. */
  via: string[];
}

/** Large enough for most papers' PDF. */
const MAX_BYTES = 25_000_000;
const MAX_ROBOTS_BYTES = 500 * 1024;
const MAX_REDIRECTS = 5;
/** Between two requests to one site, by all workers together. */
const SITE_GAP_MS = 700;

/**
 * Fetches a page from the public internet, following at most 5 redirects, each of them checked as the first address is:
 * scheme, port, address, robots.txt, withheld papers.
 * @throws SourceFailure
 */
export async function fetchWebPage(
  reader: PageReader,
  context: LiteratureContext,
  address: string,
): Promise<WebPage> {
  const check = withheldCheck(context.withheld);
  const accept = 'text/html, application/xhtml+xml, application/pdf;q=0.9, text/plain;q=0.8, */*;q=0.1';
  return followRedirects(address, async (url) => {
    assertFetchable(context, url);
    if (check.matchesUrl(url.href)) throw new SourceFailure('withheld');
    await obeyRobots(reader, context, url, (robots) => fetchRobots(context, robots));
    return askSite(context, url, { accept, timeoutMs: 15_000, maxBytes: MAX_BYTES });
  });
}

async function fetchRobots(context: LiteratureContext, address: URL): Promise<HttpAnswer> {
  const { answer } = await followRedirects(address.href, async (url) => {
    assertFetchable(context, url);
    const limits = { accept: 'text/plain, */*;q=0.1', timeoutMs: 8_000, maxBytes: MAX_ROBOTS_BYTES };
    return askSite(context, url, limits, (reply) =>
      reply.status === 429 ? statusFailure(reply, context.now()) : null,
    );
  });
  return answer;
}

async function followRedirects(address: string, ask: (url: URL) => Promise<HttpAnswer>): Promise<WebPage> {
  const via: string[] = [];
  let url = parseHttpUrl(address);
  if (!url) throw new SourceFailure('bad_url');
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const answer = await ask(url);
    const location = answer.status >= 300 && answer.status < 400 ? answer.header('location') : null;
    if (location === null) return { answer, url, via };
    via.push(url.href);
    url = nextAddress(url, location);
  }
  throw new SourceFailure('too_many_redirects', `More than ${MAX_REDIRECTS}.`);
}

function nextAddress(from: URL, location: string): URL {
  const next = URL.canParse(location, from.href) ? new URL(location, from.href) : null;
  if (!next) throw new SourceFailure('bad_url', 'It leads to something that is no address.');
  if (from.protocol === 'https:' && next.protocol === 'http:')
    throw new SourceFailure('bad_url', 'It leads from https to http.');
  return next;
}

/** What an address alone shows; where it leads is judged when it is dialled. */
function assertFetchable(context: LiteratureContext, url: URL): void {
  if (!['http:', 'https:'].includes(url.protocol))
    throw new SourceFailure('bad_url', 'It leads away from the web.');
  if (url.username || url.password) throw new SourceFailure('bad_url', 'It holds a user name.');
  if (url.port !== '' && !context.http.isAllowedOrigin(url))
    throw new SourceFailure('bad_url', `Its port is ${url.port}.`);
}

async function askSite(
  context: LiteratureContext,
  url: URL,
  limits: { accept: string; timeoutMs: number; maxBytes: number },
  judge: (answer: HttpAnswer) => SourceFailure | null = (answer) => pageFailure(answer, context.now()),
): Promise<HttpAnswer> {
  const request: Omit<HttpRequest, 'signal'> = {
    url: url.href,
    headers: { accept: limits.accept, 'accept-language': 'en' },
    timeoutMs: limits.timeoutMs,
    maxBytes: limits.maxBytes,
    whenTooLarge: 'cut',
  };
  return askHost(context, {
    policy: sourceHost(url.href, SITE_GAP_MS),
    via: 'web',
    request,
    read: (answer) => {
      const failure = judge(answer);
      if (failure) throw failure;
      return answer;
    },
  });
}

function pageFailure(answer: HttpAnswer, now: Date): SourceFailure | null {
  const { status } = answer;
  if (status >= 200 && status < 400) return null;
  const note = `HTTP status ${status}.`;
  if ([401, 402, 403, 407, 451].includes(status)) return new SourceFailure('blocked', note);
  if (status === 503 && /challenge|captcha/i.test(answer.header('cf-mitigated') ?? ''))
    return new SourceFailure('blocked', note);
  if (status === 400 || status === 405 || status === 406 || status === 422)
    return new SourceFailure('not_found', note);
  return statusFailure(answer, now);
}
