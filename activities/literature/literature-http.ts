import { Agent, buildConnector, fetch, type RequestInit, type Response } from 'undici';
import {
  CONNECT_TIMEOUT_MS,
  guardedConnector,
  plainLookup,
  type ResolveHost,
  resolveBySystem,
} from './address-guard';
import { SourceFailure } from './failure';
import { httpFailure } from './http-failure';

/** The only way out to the network. Neither method follows redirects or retries. */
export interface LiteratureHttp {
  /** To a source whose address the operator has set, which may be private. */
  api(request: HttpRequest): Promise<HttpAnswer>;
  /** To an address that a model or a page has named: public addresses only. */
  web(request: HttpRequest): Promise<HttpAnswer>;
  /** Whether `web` may ask this origin although the rules for addresses forbid it: a test's double. */
  isAllowedOrigin(url: URL): boolean;
  close(): Promise<void>;
}

export interface HttpRequest {
  url: string;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  signal: AbortSignal;
  /** For the whole exchange, from connecting to the last byte. */
  timeoutMs: number;
  /** Of decoded bytes: a small body may inflate to any size. */
  maxBytes: number;
  /** A body beyond `maxBytes`: an error, or its beginning. */
  whenTooLarge: 'fail' | 'cut';
  /** The host allows one connection: it is closed before this returns. */
  isSingleConnection?: boolean;
}

export interface HttpAnswer {
  status: number;
  header(name: string): string | null;
  /** Decoded (gzip, br). */
  bytes: Uint8Array;
  isCut: boolean;
}

/**
 * Environment proxies are not used: they would dial whatever they are told.
 * @param options.allowedOrigins for tests: origins like `http://127.0.0.1:4711` that `web` may reach
 * @param options.resolve for tests: how host names become addresses
 */
export function createLiteratureHttp(options: {
  userAgent: string;
  allowedOrigins?: readonly string[];
  resolve?: ResolveHost;
}): LiteratureHttp {
  const resolve = options.resolve ?? resolveBySystem;
  const guarded = new Agent({ ...TIMEOUTS, connect: guardedConnector(resolve) });
  const openConnector = buildConnector({ timeout: CONNECT_TIMEOUT_MS, lookup: plainLookup(resolve) });
  const open = new Agent({ ...TIMEOUTS, connect: openConnector });
  const isAllowedOrigin = (url: URL) => (options.allowedOrigins ?? []).includes(url.origin);
  return {
    async api(request) {
      if (!request.isSingleConnection) return exchange(open, request, options.userAgent);
      const agent = new Agent({ ...TIMEOUTS, connect: openConnector });
      try {
        return await exchange(agent, request, options.userAgent);
      } finally {
        await agent.destroy();
      }
    },
    web: (request) =>
      exchange(
        isAllowedOrigin(new URL(request.url)) ? open : guarded,
        request,
        options.userAgent,
        'not_found',
      ),
    isAllowedOrigin,
    async close() {
      await Promise.all([guarded.destroy(), open.destroy()]);
    },
  };
}

const TIMEOUTS = { headersTimeout: 15_000, bodyTimeout: 10_000 };

async function exchange(
  dispatcher: Agent,
  request: HttpRequest,
  userAgent: string,
  unknownHost: 'not_found' | 'network' = 'network',
): Promise<HttpAnswer> {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(request.timeoutMs)]);
  try {
    const init: RequestInit = {
      method: request.method ?? 'GET',
      headers: { 'user-agent': userAgent, 'accept-encoding': 'gzip, br', ...request.headers },
      redirect: 'manual',
      dispatcher,
      signal,
    };
    if (request.body !== undefined) init.body = request.body;
    const response = await fetch(request.url, init);
    const body = await readBody(response, request);
    return { status: response.status, header: (name) => response.headers.get(name), ...body };
  } catch (error) {
    request.signal.throwIfAborted();
    throw error instanceof SourceFailure ? error : httpFailure(error, unknownHost);
  }
}

/** Counts what comes out of the decoder and stops there; what the headers promise proves nothing. */
async function readBody(
  response: Response,
  { maxBytes, whenTooLarge }: HttpRequest,
): Promise<{ bytes: Uint8Array; isCut: boolean }> {
  if (!response.body) return { bytes: new Uint8Array(), isCut: false };
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = (await reader.read()) as { done: boolean; value?: Uint8Array };
    if (done || !value) return { bytes: Buffer.concat(chunks), isCut: false };
    chunks.push(value);
    size += value.byteLength;
    if (size <= maxBytes) continue;
    await reader.cancel().catch(() => {});
    if (whenTooLarge === 'fail') throw new SourceFailure('too_large', `More than ${maxBytes} bytes.`);
    return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), isCut: true };
  }
}
