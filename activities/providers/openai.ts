import OpenAI from 'openai';
import type { Completion, CompletionOutcome, ToolCall, Usage } from '../../core/completion';
import { isJsonObject } from '../../core/json-object';
import { toStorable } from '../../db/storable-text';
import { type AnswerEnding, callIds, invalid, NO_USAGE, outcomeOf, parseArguments } from './answer-outcome';
import { conversationSteps } from './conversation';
import { at, countAt, listAt, textAt } from './json-path';
import type { KeyedProvider } from './keyed-provider';
import type { CompletionRequest, Provider, WireAnswer, WireBody } from './provider';
import { exchange } from './wire-exchange';

export const openai: KeyedProvider = {
  prefix: 'OPENAI',
  defaultBaseUrl: 'https://api.openai.com/v1',
  open: openaiProvider,
  cannotDisableThinking,
};

/** OpenAI's own models, over the Responses API: the newer ones take tools nowhere else. */
export function openaiProvider(apiKey: string, baseUrl: string): Provider {
  return {
    name: 'openai',
    build: (request) => toStorable(buildBody(request)),
    read: (answer, request) => readAnswer(answer.body, request),
    send: (body, options) =>
      exchange(
        {
          provider: 'openai',
          request: (fetch, headers) =>
            openaiClient(apiKey, baseUrl, options.timeoutMs, fetch)
              .post('/responses', { body, headers: { ...headers, authorization: `Bearer ${apiKey}` } })
              .asResponse(),
          requestIdOf: (headers, answer) => headers.get('x-request-id') ?? textAt(answer, 'id'),
          errorUnderOk: (answer) =>
            isJsonObject(at(answer, 'error')) || textAt(answer, 'status') === 'failed'
              ? { reportedCostUsd: null }
              : null,
        },
        body,
        options,
      ),
  };
}

/** The SDK with every option given that has an environment variable of its own, so that it reads none. */
export function openaiClient(
  apiKey: string,
  baseUrl: string,
  timeoutMs: number,
  fetch: typeof globalThis.fetch,
): OpenAI {
  return new OpenAI({
    apiKey,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: baseUrl,
    maxRetries: 0,
    timeout: timeoutMs,
    logLevel: 'off',
    fetch,
  });
}

/**
 * The least reasoning effort a model takes; null: it does not reason, and refuses both the field and `include`.
 * By exact name, a date may follow. From developers.openai.com/api/docs/models and .../guides/reasoning, read in
 * November 2026, and the 400s "Encrypted content is not supported with this model".
 */
const LEAST_EFFORT: Record<string, 'none' | 'minimal' | 'low' | null> = {
  'gpt-6.2-astra': 'low',
  'gpt-6.2-sol': 'low',
  'gpt-6.1-sol': 'low',
  'gpt-6.1-terra': 'none',
  'gpt-6-astra': 'low',
  'gpt-5.6': 'none',
  'gpt-5.6-sol': 'none',
  'gpt-5.6-terra': 'none',
  'gpt-5.6-luna': 'none',
  'gpt-5.5': 'none',
  'gpt-5.4': 'none',
  'gpt-5.4-mini': 'none',
  'gpt-5.4-nano': 'none',
  'gpt-5.2': 'none',
  'gpt-5.1': 'none',
  'gpt-5': 'minimal',
  'gpt-5-mini': 'minimal',
  'gpt-5-nano': 'minimal',
  'o4-mini': 'low',
  o3: 'low',
  'o3-mini': 'low',
  o1: 'low',
  'gpt-5-chat-latest': null,
  'gpt-4.1': null,
  'gpt-4.1-mini': null,
  'gpt-4.1-nano': null,
  'gpt-4o': null,
  'gpt-4o-mini': null,
  'gpt-4-turbo': null,
  'gpt-3.5-turbo': null,
};

/** undefined: not in the table, so taken for a reasoning model whose efforts we do not know. */
function leastEffort(model: string) {
  const name = model.replace(/-\d{4}-\d{2}-\d{2}$/, '');
  return Object.hasOwn(LEAST_EFFORT, name) ? LEAST_EFFORT[name] : undefined;
}

/** Whether a model reasons even when told not to; unknown models count as such, since it cannot be ruled out. */
export function cannotDisableThinking(model: string): boolean {
  const effort = leastEffort(model);
  return effort !== null && effort !== 'none';
}

function buildBody(request: CompletionRequest): WireBody {
  const effort = leastEffort(request.model);
  return {
    model: request.model,
    ...(request.system === '' ? {} : { instructions: request.system }),
    input: inputItems(request),
    ...(request.tools.length === 0 ? {} : toolFields(request)),
    max_output_tokens: request.maxOutputTokens,
    ...(effort ? { reasoning: { effort } } : {}),
    // Left out, it is what the key's project is set to: `priority` costs twice the table's price and more.
    service_tier: 'default',
    // Nothing is kept there, so a reasoning item has to carry its content to be sent back.
    store: false,
    ...(effort === null ? {} : { include: ['reasoning.encrypted_content'] }),
  };
}

function toolFields({ tools, toolChoice }: CompletionRequest) {
  return {
    // `strict` defaults to true here and would refuse every schema with an optional field.
    tools: tools.map(({ name, description, inputSchema }) => ({
      type: 'function',
      name,
      description,
      parameters: inputSchema,
      strict: false,
    })),
    tool_choice: toolChoice.kind === 'force' ? { type: 'function', name: toolChoice.tool } : 'auto',
  };
}

function inputItems(request: CompletionRequest): unknown[] {
  const callsOf = (answer: WireAnswer, turn: number) => {
    const items = echoItems(answer.body, turn);
    return items.filter(isCall).map((item) => textAt(item, 'call_id')!);
  };
  return conversationSteps(request.turns, callsOf).flatMap((step) => {
    if (step.role === 'user') return [{ role: 'user', content: step.text }];
    const outputs = step.results.map(({ callId, text, isError }) => ({
      type: 'function_call_output',
      call_id: callId,
      output: isError ? `Error: ${text}` : text,
    }));
    return [...echoItems(step.answer.body, step.turn), ...outputs];
  });
}

/**
 * The items of an answer as they go back: unchanged. A cut answer goes back as its words alone, since a broken call
 * is refused, and so is a reasoning item without the call it led to.
 */
function echoItems(body: unknown, turn: number): unknown[] {
  const items = listAt(body, 'output');
  const calls = items.filter(isCall);
  const isWhole =
    textAt(body, 'status') === 'completed' &&
    calls.every((call) => parseArguments(at(call, 'arguments')) !== null);
  if (!isWhole) {
    const text = wordsOf(items);
    return text.trim() === '' ? [] : [{ role: 'assistant', content: text }];
  }
  const ids = idsOf(items, turn);
  return items.map((item) => (isCall(item) ? withCallId(item, ids.shift()!) : item));
}

function withCallId(item: unknown, id: string): unknown {
  return at(item, 'call_id') === id ? item : { ...(item as object), call_id: id };
}

function idsOf(items: unknown[], turn: number): string[] {
  return callIds(
    items.filter(isCall).map((item) => at(item, 'call_id')),
    turn,
  );
}

function isCall(item: unknown): boolean {
  return at(item, 'type') === 'function_call';
}

function wordsOf(items: unknown[]): string {
  return items
    .filter((item) => at(item, 'type') === 'message')
    .flatMap((item) => listAt(item, 'content'))
    .map((part) => (at(part, 'type') === 'output_text' ? (textAt(part, 'text') ?? '') : ''))
    .join('');
}

function readAnswer(body: unknown, request: CompletionRequest): Completion {
  return { ...outcome(body, request), usage: usageOf(body), reportedModel: textAt(body, 'model') };
}

function outcome(body: unknown, request: CompletionRequest): CompletionOutcome {
  const items = at(body, 'output');
  if (!Array.isArray(items)) return invalid('unreadable', 'no output list');
  const status = textAt(body, 'status');
  if (status !== 'completed' && status !== 'incomplete')
    return invalid('unreadable', 'neither completed nor incomplete');
  const ids = idsOf(items, request.turns.length);
  const calls: ToolCall[] = [];
  for (const item of items.filter(isCall)) {
    const tool = textAt(item, 'name');
    if (tool === null) return invalid('unreadable', 'a call without a name');
    calls.push({ id: ids[calls.length]!, tool, arguments: parseArguments(at(item, 'arguments')) });
  }
  return outcomeOf({ ending: endingOf(body, items), calls, text: wordsOf(items) }, request);
}

function endingOf(body: unknown, items: unknown[]): AnswerEnding {
  const parts = items.flatMap((item) => listAt(item, 'content'));
  if (parts.some((part) => at(part, 'type') === 'refusal')) return { kind: 'refused', by: 'a refusal part' };
  if (textAt(body, 'status') !== 'incomplete') return { kind: 'complete' };
  const reason = textAt(body, 'incomplete_details', 'reason');
  return reason === 'content_filter'
    ? { kind: 'refused', by: 'incomplete: content_filter' }
    : { kind: 'truncated', by: `incomplete: ${reason === 'max_output_tokens' ? reason : 'no known reason'}` };
}

/** `input_tokens` has the cached part in it, `output_tokens` the reasoning. */
function usageOf(body: unknown): Usage {
  return {
    ...NO_USAGE,
    inputTokens: countAt(body, 'usage', 'input_tokens'),
    cachedInputTokens: countAt(body, 'usage', 'input_tokens_details', 'cached_tokens'),
    cacheWriteTokens: countAt(body, 'usage', 'input_tokens_details', 'cache_write_tokens'),
    outputTokens: countAt(body, 'usage', 'output_tokens'),
    reasoningTokens: countAt(body, 'usage', 'output_tokens_details', 'reasoning_tokens'),
  };
}
