/**
 * What a model's answer came to, the same for every provider. A bad answer is data (`invalid`), never an
 * exception and never a guess at what the model may have meant.
 */
export type Completion = {
  usage: Usage;
  /** The model the answer names; null when it names none. May differ from the one asked for. */
  reportedModel: string | null;
} & CompletionOutcome;

export type CompletionOutcome =
  /** The forced tool was called once, with arguments that are one JSON object. Not yet checked against a schema. */
  | { kind: 'recorded'; callId: string; tool: string; arguments: Record<string, unknown> }
  /** Tools of the model's own choice, in its order, ids made unique. */
  | { kind: 'tool_calls'; calls: ToolCall[]; text: string }
  /** Words where no tool was forced. */
  | { kind: 'text'; text: string }
  | { kind: 'invalid'; reason: InvalidAnswer; detail: string };

export interface ToolCall {
  id: string;
  tool: string;
  /** Parsed arguments, or null when they are not one JSON object (the model is told so). */
  arguments: Record<string, unknown> | null;
}

/** Ways in which an answer that arrived is no answer. */
export type InvalidAnswer =
  | 'no_call' // words where a tool call was forced
  | 'empty' // neither words nor calls
  | 'refused' // the model, or its filter, declined
  | 'truncated' // cut by the output cap
  | 'malformed_arguments' // the call's arguments are not one JSON object
  | 'wrong_tool' // a tool was called that was not the forced one
  | 'several_calls' // the forced tool was called more than once
  | 'unreadable'; // not the shape this provider documents

/**
 * Token counts as billed. `inputTokens` is the whole input, cached parts included; `outputTokens` the whole
 * output, reasoning included. null: the provider did not say.
 */
export interface Usage {
  inputTokens: number | null;
  cachedInputTokens: number | null;
  cacheWriteTokens: number | null;
  outputTokens: number | null;
  reasoningTokens: number | null;
  /** What the provider says the call cost, in USD; null where it says nothing. */
  reportedCostUsd: number | null;
}

/** Ways in which a request can end without an answer. */
export type CallFailure =
  | 'bad_request' // 400, 404, 422: the same request will fail again
  | 'context_too_long' // the prompt does not fit the model's context
  | 'unauthorized' // 401, 403: the key is missing, wrong or not allowed this model
  | 'payment_required' // 402, a spend limit, a day's quota used up: retrying does not help
  | 'rate_limited' // 429: later
  | 'overloaded' // 529, 503: later
  | 'server_error' // other 5xx, or an error body under status 200
  | 'not_sent' // no connection was made: nothing was billed
  | 'dropped' // the connection broke after sending: may have been billed
  | 'timeout' // no answer in time: may have been billed
  | 'unreadable'; // a body that is not JSON: may have been billed

/**
 * How a failure is booked. `isRetryable`: asking again may help. `endsAs`: `in_doubt` where the provider may have
 * gone on and billed it, `failed` where it said no. `cost`: `none` where the request was refused, `unknown` where
 * an error came back that may still have been billed (charged at its bound until somebody knows better).
 */
export const CALL_FAILURES: Record<
  CallFailure,
  { isRetryable: boolean; endsAs: 'failed' | 'in_doubt'; cost: 'none' | 'unknown' }
> = {
  bad_request: { isRetryable: false, endsAs: 'failed', cost: 'none' },
  context_too_long: { isRetryable: false, endsAs: 'failed', cost: 'none' },
  unauthorized: { isRetryable: false, endsAs: 'failed', cost: 'none' },
  payment_required: { isRetryable: false, endsAs: 'failed', cost: 'none' },
  rate_limited: { isRetryable: true, endsAs: 'failed', cost: 'none' },
  overloaded: { isRetryable: true, endsAs: 'failed', cost: 'none' },
  server_error: { isRetryable: true, endsAs: 'failed', cost: 'unknown' },
  not_sent: { isRetryable: true, endsAs: 'failed', cost: 'none' },
  dropped: { isRetryable: true, endsAs: 'in_doubt', cost: 'unknown' },
  timeout: { isRetryable: true, endsAs: 'in_doubt', cost: 'unknown' },
  unreadable: { isRetryable: true, endsAs: 'failed', cost: 'unknown' },
};
