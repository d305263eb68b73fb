import type { Completion, CompletionOutcome, ToolCall, Usage } from '../../core/completion';
import { isJsonObject } from '../../core/json-object';
import { toStorable } from '../../db/storable-text';
import { type AnswerEnding, callIds, invalid, NO_USAGE, outcomeOf, parseArguments } from './answer-outcome';
import { conversationSteps } from './conversation';
import { at, countAt, listAt, textAt, usdAt } from './json-path';
import { openaiClient } from './openai';
import type { CompletionRequest, Provider, WireAnswer, WireBody } from './provider';
import { exchange } from './wire-exchange';

/** Wherein the servers that speak Chat Completions differ. */
export interface ChatDialect {
  name: string;
  baseUrl: string;
  /** null: a server that asks for none. */
  apiKey: string | null;
  /** Fields of an assistant message that go back beside its words and calls. */
  echoed: string[];
  extraFields(model: string): Record<string, unknown>;
  costOf(body: unknown): number | null;
}

/** A provider on the wire of OpenAI's Chat Completions. */
export function chatProvider(dialect: ChatDialect): Provider {
  return {
    name: dialect.name,
    build: (request) => toStorable(buildBody(request, dialect)),
    read: (answer, request) => readAnswer(answer.body, request, dialect),
    send: (body, options) =>
      exchange(
        {
          provider: dialect.name,
          request: (fetch, headers) => {
            const { apiKey, baseUrl } = dialect;
            const authorization = apiKey === null ? null : `Bearer ${apiKey}`;
            // The SDK insists on a key; without one the null takes its header out again.
            return openaiClient(apiKey ?? 'none', baseUrl, options.timeoutMs, fetch)
              .post('/chat/completions', { body, headers: { ...headers, authorization } })
              .asResponse();
          },
          requestIdOf: (headers, answer) => headers.get('x-request-id') ?? textAt(answer, 'id'),
          errorUnderOk: (answer) => (tellsError(answer) ? { reportedCostUsd: dialect.costOf(answer) } : null),
        },
        body,
        options,
      ),
  };
}

/** OpenRouter tells an upstream's error under 200: as a body, or as an answer without choices. */
function tellsError(body: unknown): boolean {
  const error = at(body, 'error');
  if (isJsonObject(error) || typeof error === 'string') return true;
  const choices = at(body, 'choices');
  return Array.isArray(choices) && (choices.length === 0 || isJsonObject(at(choices, 0, 'error')));
}

function buildBody(request: CompletionRequest, dialect: ChatDialect): WireBody {
  return {
    model: request.model,
    messages: messagesOf(request, dialect),
    ...(request.tools.length === 0 ? {} : toolFields(request)),
    // Not `max_completion_tokens`: no server but OpenAI's own is sure to know it, and OpenRouter's upstreams do not.
    max_tokens: request.maxOutputTokens,
    ...dialect.extraFields(request.model),
  };
}

function toolFields({ tools, toolChoice }: CompletionRequest) {
  return {
    tools: tools.map(({ name, description, inputSchema }) => ({
      type: 'function',
      function: { name, description, parameters: inputSchema },
    })),
    tool_choice:
      toolChoice.kind === 'force' ? { type: 'function', function: { name: toolChoice.tool } } : 'auto',
  };
}

function messagesOf(request: CompletionRequest, dialect: ChatDialect): Record<string, unknown>[] {
  const callsOf = (answer: WireAnswer, turn: number) =>
    wholeCalls(answer.body, turn).map((call) => textAt(call, 'id')!);
  const turns = conversationSteps(request.turns, callsOf).flatMap((step) => {
    if (step.role === 'user') return [{ role: 'user', content: step.text }];
    const results = step.results.map(({ callId, text, isError }) => ({
      role: 'tool',
      tool_call_id: callId,
      content: isError ? `Error: ${text}` : text,
    }));
    return [...echoMessage(step.answer.body, step.turn, dialect), ...results];
  });
  return request.system === '' ? turns : [{ role: 'system', content: request.system }, ...turns];
}

/** The assistant's message as it came, less what only answers have, and less a call cut short: that answers 500. */
function echoMessage(body: unknown, turn: number, dialect: ChatDialect): Record<string, unknown>[] {
  const message = at(body, 'choices', 0, 'message');
  const calls = wholeCalls(body, turn);
  if (calls.length === 0 && wordsOf(message).trim() === '') return [];
  const echoed = dialect.echoed.filter((field) => (at(message, field) ?? null) !== null);
  return [
    {
      role: 'assistant',
      content: at(message, 'content') ?? null,
      ...Object.fromEntries(echoed.map((field) => [field, at(message, field)])),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    },
  ];
}

/** The calls that parse, unchanged but for ids that were missing or twice there. */
function wholeCalls(body: unknown, turn: number): Record<string, unknown>[] {
  const calls = listAt(body, 'choices', 0, 'message', 'tool_calls');
  const ids = idsOf(calls, turn);
  return calls
    .map((call, i) => (at(call, 'id') === ids[i] ? call : { ...(call as object), id: ids[i] }))
    .filter((call) => parseArguments(at(call, 'function', 'arguments')) !== null)
    .map((call) => call as Record<string, unknown>);
}

function idsOf(calls: unknown[], turn: number): string[] {
  return callIds(
    calls.map((call) => at(call, 'id')),
    turn,
  );
}

/** Words come as one text, or as a list of parts. */
function wordsOf(message: unknown): string {
  const parts = listAt(message, 'content').map((part) => textAt(part, 'text') ?? '');
  return textAt(message, 'content') ?? parts.join('');
}

function readAnswer(body: unknown, request: CompletionRequest, dialect: ChatDialect): Completion {
  return {
    ...outcome(body, request),
    usage: { ...usageOf(body), reportedCostUsd: dialect.costOf(body) },
    reportedModel: textAt(body, 'model'),
  };
}

function outcome(body: unknown, request: CompletionRequest): CompletionOutcome {
  const message = at(body, 'choices', 0, 'message');
  if (!isJsonObject(message)) return invalid('unreadable', 'no message');
  const raw = listAt(message, 'tool_calls');
  const ids = idsOf(raw, request.turns.length);
  const calls: ToolCall[] = [];
  for (const call of raw) {
    const tool = textAt(call, 'function', 'name');
    if (tool === null) return invalid('unreadable', 'a call without a name');
    const args = parseArguments(at(call, 'function', 'arguments'));
    calls.push({ id: ids[calls.length]!, tool, arguments: args });
  }
  const finish = textAt(body, 'choices', 0, 'finish_reason');
  if (finish === 'error') return invalid('unreadable', 'finish_reason error');
  return outcomeOf({ ending: endingOf(message, finish), calls, text: wordsOf(message) }, request);
}

function endingOf(message: unknown, finish: string | null): AnswerEnding {
  if ((textAt(message, 'refusal') ?? '') !== '') return { kind: 'refused', by: 'a refusal' };
  if (finish === 'content_filter') return { kind: 'refused', by: 'finish_reason content_filter' };
  if (finish !== null && CUT.has(finish)) return { kind: 'truncated', by: `finish_reason ${finish}` };
  return { kind: 'complete' };
}

/** By the cap; by the model's context (Mistral); by a server that ran out of means (DeepSeek) or gave up (vLLM, SGLang). */
const CUT = new Set(['length', 'model_length', 'insufficient_system_resource', 'abort']);

function usageOf(body: unknown): Usage {
  return {
    ...NO_USAGE,
    inputTokens: countAt(body, 'usage', 'prompt_tokens'),
    cachedInputTokens: countAt(body, 'usage', 'prompt_tokens_details', 'cached_tokens'),
    cacheWriteTokens: countAt(body, 'usage', 'prompt_tokens_details', 'cache_write_tokens'),
    outputTokens: outputTokensOf(body),
    reasoningTokens: countAt(body, 'usage', 'completion_tokens_details', 'reasoning_tokens'),
  };
}

/**
 * OpenAI's `completion_tokens` have the reasoning in them. xAI's and those of Google's compatible endpoint leave it out,
 * which shows in the total (github.com/UKGovernmentBEIS/inspect_ai/issues/5528: 8.7 times too cheap otherwise); some
 * servers leave it out of that too, which shows where there is more reasoning than output.
 */
function outputTokensOf(body: unknown): number | null {
  const completion = countAt(body, 'usage', 'completion_tokens');
  if (completion === null) return null;
  const total = countAt(body, 'usage', 'total_tokens') ?? 0;
  const prompt = countAt(body, 'usage', 'prompt_tokens') ?? total;
  const reasoning = countAt(body, 'usage', 'completion_tokens_details', 'reasoning_tokens') ?? 0;
  return Math.max(completion, total - prompt, reasoning > completion ? completion + reasoning : 0);
}

/** `usage.cost` in USD, for dialects that report it. */
export function usageCost(body: unknown): number | null {
  return usdAt(body, 'usage', 'cost');
}
