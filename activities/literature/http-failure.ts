import { readRetryAfter } from '../retry-after';
import { RefusedAddress } from './address-guard';
import { SourceFailure } from './failure';
import type { HttpAnswer } from './literature-http';

/**
 * What a thrown error of undici, DNS, TLS or a decoder means. The error's own text may hold URLs: not passed on.
 * @param unknownHost what it means that a host name has no address: a page that is nowhere, or a source out of reach
 */
export function httpFailure(error: unknown, unknownHost: 'not_found' | 'network'): SourceFailure {
  const chain = causes(error);
  if (chain.some(({ name }) => name === RefusedAddress.name)) return new SourceFailure('refused_address');
  if (chain.some(isTimeout)) return new SourceFailure('timeout');
  const code = chain.map(codeOf).find((text) => text !== null) ?? null;
  if (code === 'ENOTFOUND')
    return new SourceFailure(unknownHost, 'The host name has no address.', { isRetryable: false });
  if (code && /^(?:Z_|ERR_BROTLI|ERR__ERROR|ERR_PADDING)/.test(code))
    return new SourceFailure('unreadable', 'Its compression is broken.');
  return new SourceFailure('network', code && /^[A-Z][A-Z0-9_]+$/.test(code) ? `Code ${code}.` : null);
}

/**
 * What a status other than 200 means for an API.
 * @param now for a `Retry-After` that is a date
 */
export function statusFailure(answer: HttpAnswer, now: Date): SourceFailure | null {
  const { status } = answer;
  if (status === 200) return null;
  const note = `HTTP status ${status}.`;
  const wait = readRetryAfter(answer.header('retry-after'), now);
  const details = wait === null ? {} : { retryAfterMs: wait };
  if (status === 429) return new SourceFailure('rate_limited', note, details);
  if (status === 401 || status === 403) return new SourceFailure('unauthorized', note);
  if (status === 402) return new SourceFailure('quota', note);
  if (status === 404 || status === 410) return new SourceFailure('not_found', note);
  if (status === 400 || status === 422) return new SourceFailure('bad_query', note);
  if (status >= 500 || status === 408) return new SourceFailure('server_error', note, details);
  return new SourceFailure('server_error', note, { isRetryable: false });
}

/** By shape and not by class: errors of the runtime may come from another realm. */
interface ErrorLike {
  name?: unknown;
  code?: unknown;
  cause?: unknown;
  errors?: unknown;
}

function causes(error: unknown, depth = 0): ErrorLike[] {
  if (depth > 8 || error === null || typeof error !== 'object') return [];
  const like = error as ErrorLike;
  const inner = Array.isArray(like.errors) ? like.errors : [];
  return [like, ...inner.flatMap((part) => causes(part, depth + 1)), ...causes(like.cause, depth + 1)];
}

function isTimeout(error: ErrorLike): boolean {
  const code = codeOf(error);
  return (
    error.name === 'TimeoutError' ||
    code === 'ETIMEDOUT' ||
    (code !== null && /^UND_ERR_.*TIMEOUT$/.test(code))
  );
}

function codeOf({ code }: ErrorLike): string | null {
  return typeof code === 'string' ? code : null;
}
