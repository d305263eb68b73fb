import { failureOfReply } from '../../../activities/providers/http-failure';
import { CALL_FAILURES } from '../../../core/completion';

/** As it stands in the providers' documentation, or in what their users reported; the source beside each. */
function failure(status: number, json: unknown, headers: Record<string, string> | [string, string][] = {}) {
  return failureOfReply('any', { status, headers: new Headers(headers), json }, null);
}

const openai = (message: string, type: string, code: string | null) => ({
  error: { message, type, param: null, code },
});
const anthropic = (type: string, message: string) => ({
  type: 'error',
  error: { type, message },
  request_id: 'req_011CSHoEeqs5C35K2UUqR7Fy',
});
const google = (code: number, status: string, message: string, details: unknown[] = []) => ({
  error: { code, message, status, details },
});

describe('an error that a provider documents', () => {
  // developers.openai.com/api/docs/guides/error-codes
  it.each([
    [
      401,
      openai('Incorrect API key provided: sk-...', 'invalid_request_error', 'invalid_api_key'),
      'unauthorized',
    ],
    [
      401,
      openai('You must be a member of an organization to use the API', 'invalid_request_error', null),
      'unauthorized',
    ],
    [
      403,
      openai(
        'Country, region, or territory not supported',
        'request_forbidden',
        'unsupported_country_region_territory',
      ),
      'unauthorized',
    ],
    [
      403,
      openai(
        'Project `proj_x` does not have access to model `gpt-5.5`',
        'invalid_request_error',
        'model_not_found',
      ),
      'unauthorized',
    ],
    [
      404,
      openai(
        'The model `gpt-9` does not exist or you do not have access to it.',
        'invalid_request_error',
        'model_not_found',
      ),
      'bad_request',
    ],
    [
      400,
      openai(
        "Unsupported parameter: 'temperature' is not supported with this model.",
        'invalid_request_error',
        'unsupported_parameter',
      ),
      'bad_request',
    ],
    [
      400,
      openai(
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
        'invalid_request_error',
        'context_length_exceeded',
      ),
      'context_too_long',
    ],
    [
      400,
      openai(
        'Your input exceeds the context window of this model. Please adjust your input and try again.',
        'invalid_request_error',
        'context_length_exceeded',
      ),
      'context_too_long',
    ],
    [
      429,
      openai(
        'Rate limit reached for gpt-5 in organization org-x on requests per min (RPM): Limit 3, Used 3, Requested 1. Please try again in 20s.',
        'requests',
        'rate_limit_exceeded',
      ),
      'rate_limited',
    ],
    [
      429,
      openai(
        'You exceeded your current quota, please check your plan and billing details.',
        'insufficient_quota',
        'insufficient_quota',
      ),
      'payment_required',
    ],
    [
      500,
      openai(
        'The server had an error while processing your request. Sorry about that!',
        'server_error',
        null,
      ),
      'server_error',
    ],
    [
      503,
      openai('The engine is currently overloaded, please try again later', 'server_error', null),
      'overloaded',
    ],
    [503, openai('Slow Down', 'server_error', null), 'overloaded'],
  ] as const)('OpenAI: %i %j is %s', (status, body, kind) => {
    expect(failure(status, body).kind).toBe(kind);
  });

  // platform.claude.com/docs/en/api/errors
  it.each([
    [
      400,
      anthropic('invalid_request_error', 'tools.0.custom.input_schema: JSON schema is invalid.'),
      'bad_request',
    ],
    [
      400,
      anthropic('invalid_request_error', 'prompt is too long: 208310 tokens > 200000 maximum'),
      'context_too_long',
    ],
    [
      400,
      anthropic(
        'invalid_request_error',
        'input length and `max_tokens` exceed context limit: 199970 + 64000 > 200000, decrease input length or `max_tokens` and try again',
      ),
      'context_too_long',
    ],
    [401, anthropic('authentication_error', 'invalid x-api-key'), 'unauthorized'],
    [
      402,
      anthropic('billing_error', 'There is an issue with your billing or payment information.'),
      'payment_required',
    ],
    [
      403,
      anthropic('permission_error', 'Your API key does not have permission to use the specified resource.'),
      'unauthorized',
    ],
    [404, anthropic('not_found_error', 'model: claude-9'), 'bad_request'],
    [
      413,
      anthropic('request_too_large', 'Request exceeds the maximum allowed number of bytes.'),
      'context_too_long',
    ],
    [
      429,
      anthropic(
        'rate_limit_error',
        'This request would exceed your organization’s rate limit of 30,000 input tokens per minute.',
      ),
      'rate_limited',
    ],
    [500, anthropic('api_error', 'Internal server error'), 'server_error'],
    [504, anthropic('timeout_error', 'Request timed out'), 'server_error'],
    [529, anthropic('overloaded_error', 'Overloaded'), 'overloaded'],
  ] as const)('Anthropic: %i %j is %s', (status, body, kind) => {
    expect(failure(status, body).kind).toBe(kind);
  });

  // ai.google.dev/gemini-api/docs/troubleshooting, and the details that come with them
  it.each([
    [
      400,
      google(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: 'API_KEY_INVALID',
          domain: 'googleapis.com',
        },
      ]),
      'unauthorized',
    ],
    [
      400,
      google(400, 'FAILED_PRECONDITION', 'User location is not supported for the API use.'),
      'bad_request',
    ],
    [
      400,
      google(
        400,
        'INVALID_ARGUMENT',
        'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      ),
      'context_too_long',
    ],
    [
      400,
      google(400, 'INVALID_ARGUMENT', 'Function call is missing a thought_signature in functionCall parts.'),
      'bad_request',
    ],
    [
      403,
      google(
        403,
        'PERMISSION_DENIED',
        'Generative Language API has not been used in project 1 before or it is disabled.',
      ),
      'unauthorized',
    ],
    [
      404,
      google(
        404,
        'NOT_FOUND',
        'models/gemini-9 is not found for API version v1beta, or is not supported for generateContent.',
      ),
      'bad_request',
    ],
    [
      429,
      google(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).'),
      'rate_limited',
    ],
    [500, google(500, 'INTERNAL', 'An internal error has occurred.'), 'server_error'],
    [503, google(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.'), 'overloaded'],
    [
      504,
      google(504, 'DEADLINE_EXCEEDED', 'The service was unable to finish processing within the deadline.'),
      'server_error',
    ],
  ] as const)('Gemini: %i %j is %s', (status, body, kind) => {
    expect(failure(status, body).kind).toBe(kind);
  });

  // openrouter.ai/docs/api-reference/errors
  it.each([
    [400, { error: { code: 400, message: 'x is not a valid model ID' } }, 'bad_request'],
    [401, { error: { code: 401, message: 'No auth credentials found' } }, 'unauthorized'],
    [402, { error: { code: 402, message: 'Insufficient credits.' } }, 'payment_required'],
    [
      403,
      {
        error: {
          code: 403,
          message: 'Input was flagged',
          metadata: { reasons: ['violence'], flagged_input: 'x' },
        },
      },
      'bad_request',
    ],
    [408, { error: { code: 408, message: 'Request timed out' } }, 'timeout'],
    [502, { error: { code: 502, message: 'Provider returned error' } }, 'server_error'],
    [503, { error: { code: 503, message: 'There is no available model provider' } }, 'overloaded'],
  ] as const)('OpenRouter: %i %j is %s', (status, body, kind) => {
    expect(failure(status, body).kind).toBe(kind);
  });
});

describe('a 429 that no waiting helps is not asked again', () => {
  const quotaFailure = (quotaId: string) => ({
    '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
    violations: [
      { quotaMetric: 'generativelanguage.googleapis.com/generate_content_free_tier_requests', quotaId },
    ],
  });
  const retryInfo = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34s' };

  it.each([
    // github.com/continuedev/continue/issues/11717: more in one request than a minute ever has
    [
      'OpenAI’s request above its tokens a minute',
      openai(
        'Request too large for gpt-4.1-2025-04-14 (for limit gpt-4.1) in organization org-x on tokens per min (TPM): Limit 30000, Requested 37313. The input or output tokens must be reduced in order to run successfully.',
        'tokens',
        'rate_limit_exceeded',
      ),
      'bad_request',
    ],
    // github.com/google-gemini/gemini-cli/issues/8437: RetryInfo names seconds, the quota comes back at midnight
    [
      'Gemini’s quota of a day',
      google(
        429,
        'RESOURCE_EXHAUSTED',
        'You exceeded your current quota, please check your plan and billing details.',
        [quotaFailure('GenerateRequestsPerDayPerProjectPerModel-FreeTier'), retryInfo],
      ),
      'payment_required',
    ],
    [
      'Gemini’s empty prepaid balance',
      google(
        429,
        'RESOURCE_EXHAUSTED',
        'Your prepayment credits are depleted. Please go to AI Studio at https://ai.studio/projects to manage your project and billing.',
      ),
      'payment_required',
    ],
    [
      'a model that Gemini gives no free quota',
      google(
        429,
        'RESOURCE_EXHAUSTED',
        'You exceeded your current quota.\n* Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_requests, limit: 0\nPlease retry in 21s.',
      ),
      'payment_required',
    ],
    [
      'OpenRouter’s free models of a day',
      {
        error: {
          code: 429,
          message:
            'Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests per day',
          metadata: { headers: { 'X-RateLimit-Remaining': '0' } },
        },
      },
      'payment_required',
    ],
  ] as const)('%s', (_, body, kind) => {
    const told = failure(429, body).kind;
    expect([told, CALL_FAILURES[told].isRetryable]).toEqual([kind, false]);
  });

  it('but a quota of a minute is, after the 34 seconds it names, and one that only begins with a 0', () => {
    const minute = google(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.', [
      quotaFailure('GenerateRequestsPerMinutePerProjectPerModel-FreeTier'),
      retryInfo,
    ]);
    const { kind, details } = failure(429, minute);
    expect([kind, details.retryAfterMs]).toEqual(['rate_limited', 34_000]);
    const message = 'Quota exceeded for metric: generativelanguage.googleapis.com/x, limit: 05';
    expect(failure(429, google(429, 'RESOURCE_EXHAUSTED', message)).kind).toBe('rate_limited');
  });
});

it('reads the list of one in which Google tells an error on OpenAI’s wire', () => {
  const error = google(400, 'INVALID_ARGUMENT', 'API key not valid.', [{ reason: 'API_KEY_INVALID' }]);
  expect(failure(400, [error])).toMatchObject({ kind: 'unauthorized', details: { code: 'API_KEY_INVALID' } });
});

describe('Retry-After', () => {
  const wait = (...values: string[]) =>
    failure(
      429,
      {},
      values.map((value) => ['retry-after', value] as [string, string]),
    ).details.retryAfterMs;

  it('that is there twice is its first number: 7 s', () => {
    expect(wait('7', '9')).toBe(7_000);
  });

  // `Date.parse` takes "-1" for the year 2001 and "5 min" for a month of May: waits of nothing
  it.each(['-1', '5, soon', '', 'soon', '5 min', '1.2.3', 'NaN', '2'.repeat(400)])(
    'of %j says no time, or one that is at least what it begins with',
    (value) => {
      const told = wait(value);
      if (/^(\d+(?:\.\d+)?)(,|$)/.test(value)) expect(told).toBeGreaterThanOrEqual(5_000);
      else expect(told).toBeUndefined();
    },
  );

  // RFC 9110, 5.6.7: the three forms, all long past
  it.each(['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])(
    'of the day %j, which is over, is 0',
    (value) => {
      expect(wait(value)).toBe(0);
    },
  );
});

it.each([
  [502, 'server_error'],
  [503, 'overloaded'],
  [520, 'server_error'],
  [403, 'unauthorized'],
  [429, 'rate_limited'],
] as const)('tells %i without a readable body by its status: %s', (status, kind) => {
  expect(failure(status, undefined).kind).toBe(kind);
});
