import { Agent, buildConnector, type Dispatcher, fetch as undiciFetch } from 'undici';
import type { CallFailure } from '../../core/completion';
import { parseJson } from './answer-outcome';
import { failureOfReply, failureUnderOk, type HttpReply } from './http-failure';
import { ProviderFailure, type SendOptions, type WireAnswer, type WireBody } from './provider';

/** The header in which a request's ledger key travels. */
const CALL_ID_HEADER = 'x-co-scientist-call';

/** Longer answers are not read: the largest output caps are some 128,000 tokens, well under a megabyte. */
const MAX_ANSWER_BYTES = 20 * 2 ** 20;

/** What an exchange needs to know of a provider. */
export interface Wire {
  provider: string;
  /** Has the SDK make its one request through this `fetch`, with this header. */
  request(fetch: typeof globalThis.fetch, headers: Record<string, string>): Promise<unknown>;
  requestIdOf(headers: Headers, body: unknown): string | null;
  /** Whether a body under status 200 tells an error, and what it cost; null when it is an answer. */
  errorUnderOk?(body: unknown): { reportedCostUsd: number | null } | null;
}

/**
 * One request and its answer. The SDK makes the address and the headers and calls our `fetch`; the answer is read
 * here, whole, before the SDK sees it, and whatever the SDK makes of it is let go. Why not its own way:
 * OpenAI's and Anthropic's stop their clock at the headers, read a body of any size and lose whether a connection
 * was ever made; Google's also loses the headers of an error, the cause of a broken connection and JSON's exact
 * text. Here one rule holds for all, and the body is the one given, whatever an SDK would have made of it.
 *
 * @throws ProviderFailure, or the signal's reason when the caller aborted
 */
export async function exchange(wire: Wire, body: WireBody, options: SendOptions): Promise<WireAnswer> {
  options.signal.throwIfAborted();
  const sent = new SentRequest(body, options);
  // What an SDK throws is looked at and dropped: its message may hold the key, the prompt or the answer.
  const request = async () => wire.request(sent.fetch, { [CALL_ID_HEADER]: headerSafe(options.callId) });
  const sdkError: unknown = await request().then(
    () => null,
    (error: unknown) => error,
  );
  sent.close();
  if (sent.reply) return answerOf(wire, sent.reply);
  if (options.signal.aborted) throw options.signal.reason;
  const { kind, code } = sent.failureTold(sdkError);
  const status = sent.statusSeen === null ? {} : { httpStatus: sent.statusSeen };
  throw new ProviderFailure(kind, { provider: wire.provider, ...status, ...(code ? { code } : {}) });
}

function answerOf(wire: Wire, reply: HttpReply): WireAnswer {
  const requestId = shortText(wire.requestIdOf(reply.headers, reply.json));
  if (reply.status >= 300) throw failureOfReply(wire.provider, reply, requestId);
  if (reply.json === undefined) {
    const id = requestId === null ? {} : { requestId };
    throw new ProviderFailure('unreadable', { provider: wire.provider, httpStatus: reply.status, ...id });
  }
  const error = wire.errorUnderOk?.(reply.json);
  if (error) throw failureUnderOk(wire.provider, reply.json, requestId, error.reportedCostUsd);
  return { body: reply.json, requestId };
}

/** The one request of an exchange, and what became of it. */
class SentRequest {
  reply: HttpReply | null = null;
  statusSeen: number | null = null;
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private hasTimedOut = false;
  /** A byte of it may have gone out. */
  private hasBegun = false;
  private failure: unknown = null;
  private readonly onAbort = () => this.controller.abort();

  constructor(
    private readonly body: WireBody,
    private readonly options: SendOptions,
  ) {
    this.timer = setTimeout(() => {
      this.hasTimedOut = true;
      this.controller.abort();
    }, options.timeoutMs);
    options.signal.addEventListener('abort', this.onAbort, { once: true });
  }

  readonly fetch: typeof globalThis.fetch = async (url, init) => {
    try {
      this.reply = await this.post(String(url), init);
    } catch (error) {
      this.failure = error;
      throw error;
    }
    return new Response('{}', { headers: { 'content-type': 'application/json' } });
  };

  close(): void {
    clearTimeout(this.timer);
    this.options.signal.removeEventListener('abort', this.onAbort);
  }

  failureTold(sdkError: unknown): { kind: CallFailure; code?: string } {
    const chain = causes(this.failure);
    if (!this.hasBegun) {
      if (this.hasTimedOut || chain.some((cause) => cause instanceof NotConnected))
        return { kind: 'not_sent' };
      // Nobody would make the request (a key that no header can hold, a port that is never asked), nor will they next time.
      const isBySdk = this.failure === null && sdkError !== null;
      return { kind: 'bad_request', code: isBySdk ? 'refused_by_sdk' : 'refused_before_sending' };
    }
    if (this.hasTimedOut) return { kind: 'timeout' };
    return { kind: chain.some((cause) => cause instanceof TooLong) ? 'unreadable' : 'dropped' };
  }

  private async post(url: string, init: RequestInit | undefined): Promise<HttpReply> {
    const response = await undiciFetch(url, {
      method: 'POST',
      headers: ownHeaders(init),
      body: JSON.stringify(this.body),
      // Followed, a redirect would carry the prompt to another host.
      redirect: 'manual',
      signal: this.controller.signal,
      dispatcher: connections.compose(
        tellingBegin(() => {
          this.hasBegun = true;
        }),
      ),
    });
    const { status } = response;
    this.statusSeen = status;
    const headers = new Headers([...response.headers]);
    try {
      return { status, headers, json: parseJson(await readText(response.body)) };
    } catch (error) {
      // The status of a refusal says enough; the body of an answer is the answer.
      if (status < 300 || this.options.signal.aborted) throw error;
      return { status, headers, json: undefined };
    }
  }
}

class NotConnected extends Error {}
class TooLong extends Error {}

const connect = buildConnector({ timeout: 15_000 });

/** A connection that has been idle for longer is not used again; servers close theirs after 5 seconds or more. */
const REUSED_WITHIN_MS = 1_000;

/**
 * No clocks of its own (undici's would end any answer after five minutes). A connection is used again only at once: a
 * provider that closes an idle one just as a request goes out on it would leave that request in doubt, charged at
 * its bound, to save one handshake.
 */
const connections = new Agent({
  headersTimeout: 0,
  bodyTimeout: 0,
  keepAliveTimeout: REUSED_WITHIN_MS,
  keepAliveMaxTimeout: REUSED_WITHIN_MS,
  connect: (target, done) =>
    connect(target, (error, socket) =>
      error ? done(new NotConnected('no connection', { cause: error }), null) : done(null, socket!),
    ),
});

/** Tells of a request just before its first byte is written to a connection; until then nobody can have billed it. */
function tellingBegin(begun: () => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart: (...given) => {
        begun();
        handler.onRequestStart?.(...given);
      },
      onResponseStart: (...given) => handler.onResponseStart?.(...given),
      onResponseData: (...given) => handler.onResponseData?.(...given),
      onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
      onResponseError: (...given) => handler.onResponseError?.(...given),
    });
}

/**
 * What an SDK sends of its own accord: address, key, API version. Anything else is dropped: both of Stainless's SDKs
 * take further headers from environment variables (`OPENAI_CUSTOM_HEADERS`, `ANTHROPIC_CUSTOM_HEADERS`).
 */
const KEPT_HEADERS = ['authorization', 'x-goog-api-key', 'anthropic-version', CALL_ID_HEADER];

function ownHeaders(init: RequestInit | undefined): Record<string, string> {
  const made = new Headers(init?.headers ?? {});
  const kept = KEPT_HEADERS.flatMap((name) => {
    const value = made.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(kept),
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': 'co-scientist-bench',
  };
}

async function readText(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw new TooLong('answer too long');
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function causes(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let here = error; here instanceof Error && chain.length < 10; here = here.cause) chain.push(here);
  return chain;
}

/** A header holds printable ASCII; what else a key may hold is written as its code points. */
function headerSafe(text: string): string {
  return text.replace(/[^\x20-\x7e]/gu, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

function shortText(text: string | null): string | null {
  return text === null || text === '' ? null : text.slice(0, 200);
}
