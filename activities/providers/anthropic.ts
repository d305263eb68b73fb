import Anthropic from '@anthropic-ai/sdk';
import { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema';
import type { Completion, CompletionOutcome, Usage } from '../../core/completion';
import { isJsonObject } from '../../core/json-object';
import { toStorable } from '../../db/storable-text';
import {
  type AnswerEnding,
  type AnswerParts,
  callIds,
  invalid,
  NO_USAGE,
  outcomeOf,
  parseArguments,
} from './answer-outcome';
import { conversationSteps } from './conversation';
import { at, countAt, listAt, textAt } from './json-path';
import type { KeyedProvider } from './keyed-provider';
import type { CompletionRequest, Provider, WireAnswer, WireBody } from './provider';
import { exchange } from './wire-exchange';

/** The version this file is written for, which is also the SDK's; pinned, since the environment can change the SDK's. */
const API_VERSION = '2026-10-21';

export const anthropic: KeyedProvider = {
  prefix: 'ANTHROPIC',
  defaultBaseUrl: 'https://api.anthropic.com',
  open: anthropicProvider,
  cannotDisableThinking,
};

/** Claude, over the Messages API. */
export function anthropicProvider(apiKey: string, baseUrl: string): Provider {
  return {
    name: 'anthropic',
    build: (request) => toStorable(buildBody(request)),
    read: readAnswer,
    send: (body, options) =>
      exchange(
        {
          provider: 'anthropic',
          // `post` and not `messages.create`, which warns of old models on the console and takes two fields out of
          // the body. Every option that has an environment variable of its own is given, so none is read.
          request: (fetch, headers) =>
            new Anthropic({
              apiKey,
              authToken: null,
              webhookKey: null,
              baseURL: baseUrl,
              maxRetries: 0,
              timeout: options.timeoutMs,
              logLevel: 'off',
              openTelemetry: false,
              fetch,
            })
              .post('/v1/messages', {
                body,
                timeout: options.timeoutMs,
                headers: {
                  ...headers,
                  'anthropic-version': API_VERSION,
                  authorization: `Bearer ${apiKey}`,
                },
              })
              .asResponse(),
          requestIdOf: (headers, answer) => headers.get('request-id') ?? textAt(answer, 'request_id'),
          errorUnderOk: (answer) => (textAt(answer, 'type') === 'error' ? { reportedCostUsd: null } : null),
        },
        body,
        options,
      ),
  };
}

/** How a model family thinks, and whether it can be made to call a tool. */
interface Family {
  /** What turns thinking off: a field, silence, or nothing at all (then the least effort is asked for). */
  off: 'disabled' | 'between_tools' | 'omit' | 'never';
  on: 'budget' | 'adaptive';
  /** Whether it takes a forced `tool_choice` at all. With thinking on, none does: 400. */
  canBeForced: boolean;
}

const ALWAYS_THINKS: Family = { off: 'never', on: 'adaptive', canBeForced: false };
const THINKS_IF_ASKED: Family = { off: 'omit', on: 'adaptive', canBeForced: true };
const THINKS_UNLESS_TOLD: Family = { off: 'disabled', on: 'adaptive', canBeForced: true };
const THINKS_BY_BUDGET: Family = { off: 'omit', on: 'budget', canBeForced: true };

/**
 * By exact family name; a date may follow (`claude-opus-4-5-20251101`). From platform.claude.com, read in November
 * 2026: build-with-claude/thinking, models/*(whats-new and migration pages). Names as in the SDK's typings.
 */
const FAMILIES: Record<string, Family> = {
  'claude-fable-5': ALWAYS_THINKS,
  'claude-fable-5-1': ALWAYS_THINKS,
  'claude-fable-5-2': ALWAYS_THINKS,
  'claude-mythos-preview': ALWAYS_THINKS,
  'claude-mythos-5': ALWAYS_THINKS,
  'claude-mythos-5-1': ALWAYS_THINKS,
  'claude-mythos-5-2': ALWAYS_THINKS,
  'claude-opus-5-5': ALWAYS_THINKS,
  'claude-sonnet-5-5': { off: 'between_tools', on: 'adaptive', canBeForced: false },
  'claude-haiku-5-5': THINKS_UNLESS_TOLD,
  'claude-opus-5': THINKS_UNLESS_TOLD,
  'claude-sonnet-5': THINKS_UNLESS_TOLD,
  'claude-opus-4-8': THINKS_IF_ASKED,
  'claude-opus-4-7': THINKS_IF_ASKED,
  'claude-opus-4-6': THINKS_IF_ASKED,
  'claude-sonnet-4-6': THINKS_IF_ASKED,
  'claude-opus-4-5': THINKS_BY_BUDGET,
  'claude-sonnet-4-5': THINKS_BY_BUDGET,
  'claude-haiku-4-5': THINKS_BY_BUDGET,
};

/** A model we know nothing of is most likely newer than this table: what every newer one has taken so far. */
const UNKNOWN: Family = { off: 'never', on: 'adaptive', canBeForced: false };

function familyOf(model: string): Family {
  const name = model.replace(/-\d{8}$/, '');
  return Object.hasOwn(FAMILIES, name) ? FAMILIES[name]! : UNKNOWN;
}

/** Whether a model thinks even when told not to; unknown models count as such, since it cannot be ruled out. */
export function cannotDisableThinking(model: string): boolean {
  return familyOf(model).off === 'never';
}

function buildBody(request: CompletionRequest): WireBody {
  const isNative = answersBySchema(request);
  const forced = request.toolChoice.kind === 'force' ? request.toolChoice.tool : null;
  const tools = request.tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    input_schema: inputSchema,
  }));
  const outputConfig = {
    ...effortOf(request),
    ...(isNative ? { format: { type: 'json_schema', schema: nativeSchema(request) } } : {}),
  };
  return {
    model: request.model,
    max_tokens: request.maxOutputTokens,
    ...(request.system === '' ? {} : { system: request.system }),
    messages: messagesOf(request),
    ...(tools.length === 0 ? {} : { tools, tool_choice: toolChoice(forced, isNative) }),
    ...thinkingOf(request),
    ...(Object.keys(outputConfig).length === 0 ? {} : { output_config: outputConfig }),
  };
}

/** Tools stay in a request that forbids them: a history with calls in it is refused without. */
function toolChoice(forced: string | null, isNative: boolean) {
  if (isNative) return { type: 'none' };
  return forced === null ? { type: 'auto' } : { type: 'tool', name: forced, disable_parallel_tool_use: true };
}

/** Where a call cannot be forced, the forced tool's schema is the schema of the answer. */
function answersBySchema({ model, toolChoice, thinking, maxOutputTokens }: CompletionRequest): boolean {
  if (toolChoice.kind !== 'force') return false;
  const { canBeForced } = familyOf(model);
  return !canBeForced || thinks({ model, thinking, maxOutputTokens });
}

function nativeSchema({ tools, toolChoice }: CompletionRequest): Record<string, unknown> {
  const forced = tools.find((tool) => toolChoice.kind === 'force' && tool.name === toolChoice.tool);
  // The SDK's own rewriting to the keywords this format takes: what it cannot express becomes a description.
  return transformJSONSchema((forced?.inputSchema ?? { type: 'object' }) as never) as Record<string, unknown>;
}

type ThinkingSetting = Pick<CompletionRequest, 'model' | 'thinking' | 'maxOutputTokens'>;

/** The least budget the API takes; it has to stay below `max_tokens`, which it is part of. */
const LEAST_BUDGET = 1024;

function thinks({ model, thinking, maxOutputTokens }: ThinkingSetting): boolean {
  const { off, on } = familyOf(model);
  if (off === 'never') return true;
  if (thinking === 'off' || thinking <= 0) return false;
  return on === 'adaptive' || maxOutputTokens > LEAST_BUDGET;
}

function thinkingOf(request: CompletionRequest): { thinking?: Record<string, unknown> } {
  const { off, on } = familyOf(request.model);
  if (!thinks(request)) {
    return off === 'disabled' || off === 'between_tools' ? { thinking: { type: off } } : {};
  }
  // Silence is adaptive for those that always think, and the one thing an unknown model cannot refuse.
  if (off === 'never') return {};
  if (on === 'adaptive') return { thinking: { type: 'adaptive' } };
  const budget = Math.max(LEAST_BUDGET, Number(request.thinking));
  return { thinking: { type: 'enabled', budget_tokens: Math.min(budget, request.maxOutputTokens - 1) } };
}

/**
 * Models with adaptive thinking take no budget, only an effort: up to 4,000 tokens are low, up to 16,000 medium,
 * more is high. `off` on one that cannot stop is the least there is.
 */
function effortOf(request: CompletionRequest): { effort?: 'low' | 'medium' | 'high' } {
  const { off, on } = familyOf(request.model);
  if (on !== 'adaptive' || !thinks(request)) return {};
  if (request.thinking === 'off' || request.thinking <= 0) return off === 'never' ? { effort: 'low' } : {};
  if (request.thinking <= 4_000) return { effort: 'low' };
  return { effort: request.thinking <= 16_000 ? 'medium' : 'high' };
}

function messagesOf(request: CompletionRequest): Record<string, unknown>[] {
  const callsOf = (answer: WireAnswer, turn: number) => wireCalls(answer.body, turn).map(({ id }) => id);
  return conversationSteps(request.turns, callsOf).flatMap((step): Record<string, unknown>[] => {
    if (step.role === 'user') return [{ role: 'user', content: step.text }];
    // Answers hold them now and then, and requests with them are refused (anthropic-sdk-python#461).
    const content = listAt(step.answer.body, 'content').filter((block) => !isBlankText(block));
    const results = step.results.map(({ callId, text, isError }) => ({
      type: 'tool_result',
      tool_use_id: callId,
      content: text,
      ...(isError ? { is_error: true } : {}),
    }));
    return [
      // Otherwise unchanged, thinking blocks and signatures with it; an empty turn is refused.
      ...(content.length === 0 ? [] : [{ role: 'assistant', content }]),
      ...(results.length === 0 ? [] : [{ role: 'user', content: results }]),
    ];
  });
}

function isBlankText(block: unknown): boolean {
  return at(block, 'type') === 'text' && (textAt(block, 'text') ?? '').trim() === '';
}

function wireCalls(body: unknown, turn: number): { id: string; tool: string | null; input: unknown }[] {
  const blocks = listAt(body, 'content').filter((block) => at(block, 'type') === 'tool_use');
  const ids = callIds(
    blocks.map((block) => at(block, 'id')),
    turn,
  );
  return blocks.map((block, i) => ({
    id: ids[i]!,
    tool: textAt(block, 'name'),
    input: at(block, 'input'),
  }));
}

function readAnswer(answer: WireAnswer, request: CompletionRequest): Completion {
  const { body } = answer;
  return { ...outcome(body, request), usage: usageOf(body), reportedModel: textAt(body, 'model') };
}

function outcome(body: unknown, request: CompletionRequest): CompletionOutcome {
  const blocks = at(body, 'content');
  if (!isJsonObject(body) || !Array.isArray(blocks)) return invalid('unreadable', 'no content list');
  const calls = wireCalls(body, request.turns.length);
  if (calls.some(({ tool }) => tool === null)) return invalid('unreadable', 'a call without a name');
  const parts: AnswerParts = {
    ending: endingOf(textAt(body, 'stop_reason')),
    calls: calls.map(({ id, tool, input }) => ({ id, tool: tool!, arguments: parseArguments(input) })),
    text: blocks
      .filter((block) => at(block, 'type') === 'text')
      .map((block) => textAt(block, 'text') ?? '')
      .join(''),
  };
  return answersBySchema(request) && calls.length === 0
    ? schemaOutcome(parts, request)
    : outcomeOf(parts, request);
}

/** By native schema the whole text is the arguments. Words that do not begin as JSON are no call at all. */
function schemaOutcome(parts: AnswerParts, request: CompletionRequest): CompletionOutcome {
  const text = parts.text.trim();
  if (request.toolChoice.kind !== 'force' || !text.startsWith('{')) return outcomeOf(parts, request);
  const [id] = callIds([null], request.turns.length);
  const call = { id: id!, tool: request.toolChoice.tool, arguments: parseArguments(text) };
  return outcomeOf({ ...parts, calls: [call], text: '' }, request);
}

function endingOf(stopReason: string | null): AnswerEnding {
  if (stopReason === 'refusal') return { kind: 'refused', by: 'stop_reason refusal' };
  if (stopReason === 'max_tokens' || stopReason === 'model_context_window_exceeded') {
    return { kind: 'truncated', by: `stop_reason ${stopReason}` };
  }
  return { kind: 'complete' };
}

/** `input_tokens` leaves the cached parts out; `output_tokens` has the thinking in it. */
function usageOf(body: unknown): Usage {
  const input = countAt(body, 'usage', 'input_tokens');
  const read = countAt(body, 'usage', 'cache_read_input_tokens');
  const written = countAt(body, 'usage', 'cache_creation_input_tokens');
  return {
    ...NO_USAGE,
    inputTokens: input === null ? null : input + (read ?? 0) + (written ?? 0),
    cachedInputTokens: read,
    cacheWriteTokens: written,
    outputTokens: countAt(body, 'usage', 'output_tokens'),
    reasoningTokens: countAt(body, 'usage', 'output_tokens_details', 'thinking_tokens'),
  };
}
