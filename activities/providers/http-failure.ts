import type { CallFailure } from '../../core/completion';
import { leadingNumber, readRetryAfter } from '../retry-after';
import { at, listAt, textAt } from './json-path';
import { ProviderFailure } from './provider';

/** An HTTP answer, read whole. */
export interface HttpReply {
  status: number;
  headers: Headers;
  /** The body's JSON; undefined when it is none. */
  json: unknown;
}

/** What a reply of status 300 or more means. Its message is looked at and not kept: it may repeat the prompt. */
export function failureOfReply(
  provider: string,
  reply: HttpReply,
  requestId: string | null,
): ProviderFailure {
  const told = errorTold(reply.json);
  const retryAfterMs = retryAfter(reply.headers) ?? told.retryAfterMs;
  return new ProviderFailure(kindOf(reply.status, told), {
    provider,
    httpStatus: reply.status,
    ...(retryAfterMs === null ? {} : { retryAfterMs }),
    ...(requestId === null ? {} : { requestId }),
    ...(told.codes[0] === undefined ? {} : { code: told.codes[0] }),
  });
}

/**
 * What an error told under status 200 means: the code inside decides, a status or a word; without one it is the
 * server's error.
 *
 * @param reportedCostUsd what the failed call says it cost; null when it does not say
 */
export function failureUnderOk(
  provider: string,
  body: unknown,
  requestId: string | null,
  reportedCostUsd: number | null,
): ProviderFailure {
  const told = errorTold(body);
  return new ProviderFailure(kindOf(statusInside(body, told), told), {
    provider,
    httpStatus: 200,
    ...(told.retryAfterMs === null ? {} : { retryAfterMs: told.retryAfterMs }),
    ...(requestId === null ? {} : { requestId }),
    ...(told.codes[0] === undefined ? {} : { code: told.codes[0] }),
    ...(reportedCostUsd === null ? {} : { reportedCostUsd }),
  });
}

interface ErrorTold {
  /** Every code, type and reason in the error, the most telling first. */
  codes: string[];
  message: string;
  /** Names of the quotas that are exceeded (Google's `QuotaFailure`). */
  quotas: string[];
  retryAfterMs: number | null;
}

/** Codes of the providers' own error lists that say "out of money", whatever the status. */
const SPENT_CODES = new Set([
  // Anthropic: 429 without a Retry-After, and 402 (typings of @anthropic-ai/sdk 1.14, resources/shared)
  'enforced_spend_limit_reached',
  'contract_spend_limit_reached',
  'linked_organization_spend_limit_reached',
  'billing_error',
  // OpenAI: 429 (developers.openai.com/api/docs/guides/spend-limits and its error codes)
  'insufficient_quota',
  'credit_balance_exhausted',
  'organization_spend_limit_exceeded',
  'project_spend_limit_exceeded',
  'organization_usage_limit_exceeded',
  'billing_hard_limit_reached',
]);

/**
 * Anthropic says the first two under 400 `invalid_request_error`, with nothing but the words to tell them by; Gemini the
 * others under 429 RESOURCE_EXHAUSTED: an empty prepaid balance, and models that a key without billing never has.
 */
const SPENT_WORDS =
  /credit balance is too low|reached your specified (workspace )?API usage limits|prepayment credits are depleted|quota exceeded for metric: [^\n]*, limit: 0\b|doesn't have a free quota tier/i;

/**
 * A day's quota that is used up: waiting means until midnight, whatever the `retryDelay` beside it says. Gemini names it
 * in a violation's `quotaId`, OpenRouter in the words about its free models.
 */
const DAY_QUOTA = /PerDay/;
const DAY_QUOTA_WORDS = /\bfree-models-per-day/;

/** OpenAI's 429 for one request that is more than a whole minute's tokens: no minute will ever be enough. */
const TOO_LARGE_FOR_LIMIT = /^Request too large for /;

const CONTEXT_CODES = new Set([
  'context_length_exceeded', // OpenAI, OpenRouter
  'exceed_context_size_error', // llama.cpp
  'request_too_large', // Anthropic, 413
]);

/** Anthropic; OpenAI, OpenRouter and vLLM; Gemini: they say it under 400 in words only. */
const CONTEXT_WORDS =
  /prompt is too long|maximum context length|exceeds? (the (available )?)?context|input token count .*exceeds/i;

const FLAGGED = 'flagged_by_moderation';

function kindOf(status: number, { codes, message, quotas }: ErrorTold): CallFailure {
  const has = (...names: string[]) => names.some((name) => codes.includes(name));
  // OpenRouter holds back more requests than the balance covers: a wait, though it says 402.
  if (has('openrouter_in_flight_budget')) return 'rate_limited';
  if (status === 402 || codes.some((code) => SPENT_CODES.has(code)) || SPENT_WORDS.test(message)) {
    return 'payment_required';
  }
  if (quotas.some((quota) => DAY_QUOTA.test(quota)) || DAY_QUOTA_WORDS.test(message))
    return 'payment_required';
  if (status === 413 || ([400, 422].includes(status) && isTooLong(codes, message))) return 'context_too_long';
  // Google answers a wrong key with 400; OpenRouter a flagged prompt with 403.
  if (has('API_KEY_INVALID')) return 'unauthorized';
  if (status === 403 && has(FLAGGED)) return 'bad_request';
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 408) return 'timeout';
  if (status === 429) return TOO_LARGE_FOR_LIMIT.test(message) ? 'bad_request' : 'rate_limited';
  if (status === 503 || status === 529 || has('overloaded_error')) return 'overloaded';
  if (status >= 500 || status === 409) return 'server_error';
  return 'bad_request';
}

function isTooLong(codes: string[], message: string): boolean {
  return codes.some((code) => CONTEXT_CODES.has(code)) || CONTEXT_WORDS.test(message);
}

/** Codes that stand in place of a status, in a Responses body that failed. */
const STATUS_OF_CODE: Record<string, number> = {
  rate_limit_exceeded: 429,
  invalid_prompt: 400,
  bio_policy: 400,
};

function statusInside(body: unknown, told: ErrorTold): number {
  const code = Number(at(errorIn(body), 'code'));
  if (Number.isInteger(code) && code >= 400 && code <= 599) return code;
  for (const word of told.codes) {
    if (Object.hasOwn(STATUS_OF_CODE, word)) return STATUS_OF_CODE[word]!;
  }
  return 500;
}

/** At the top, or in the choice that it befell (OpenRouter); vLLM's is the body itself. */
function errorIn(body: unknown): unknown {
  return at(body, 'error') ?? at(body, 'choices', 0, 'error') ?? body;
}

/** The fields in which the five wires, vLLM and llama.cpp tell an error. */
function errorTold(reply: unknown): ErrorTold {
  // Google's endpoint for OpenAI's wire tells an error as a list of one.
  const error = errorIn(Array.isArray(reply) ? reply[0] : reply);
  const details = listAt(error, 'details');
  const codes = [
    textAt(error, 'details', 'error_code'),
    ...details.map((detail) => textAt(detail, 'reason')),
    at(error, 'code'),
    textAt(error, 'metadata', 'limit_source'),
    listAt(error, 'metadata', 'reasons').length > 0 ? FLAGGED : null,
    textAt(error, 'type'),
    textAt(error, 'status'),
  ];
  return {
    codes: codes
      .filter((code) => code !== null && code !== undefined && SAFE_CODE.test(String(code)))
      .map(String),
    message: textAt(error, 'message') ?? (typeof error === 'string' ? error : ''),
    quotas: details
      .flatMap((detail) => listAt(detail, 'violations'))
      .map((violation) => textAt(violation, 'quotaId') ?? ''),
    retryAfterMs:
      details.map((detail) => durationMs(textAt(detail, 'retryDelay'))).find((ms) => ms !== null) ?? null,
  };
}

/** A code is a word; anything longer may be text of the prompt. */
const SAFE_CODE = /^[\w.-]{1,64}$/;

/** Google's protobuf duration, `34.07s`. */
function durationMs(text: string | null): number | null {
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(text ?? '')?.[1];
  return seconds === undefined ? null : Number(seconds) * 1000;
}

/** OpenAI's `retry-after-ms`, else `Retry-After`. */
function retryAfter(headers: Headers): number | null {
  return (
    leadingNumber(headers.get('retry-after-ms')) ?? readRetryAfter(headers.get('retry-after'), new Date())
  );
}
