import { type GenerateContentRequest, GoogleGenerativeAI } from '@google/generative-ai';
import type { Completion, CompletionOutcome, ToolCall, Usage } from '../../core/completion';
import { isJsonObject } from '../../core/json-object';
import { toStorable } from '../../db/storable-text';
import { type AnswerEnding, callIds, invalid, NO_USAGE, outcomeOf, parseArguments } from './answer-outcome';
import { conversationSteps } from './conversation';
import { geminiSchema } from './gemini-schema';
import { at, countAt, listAt, textAt } from './json-path';
import type { KeyedProvider } from './keyed-provider';
import type { CompletionRequest, Provider, WireAnswer, WireBody } from './provider';
import { exchange } from './wire-exchange';

export const google: KeyedProvider = {
  prefix: 'GOOGLE',
  defaultBaseUrl: 'https://generativelanguage.googleapis.com',
  open: googleProvider,
  cannotDisableThinking,
};

/** Gemini, over `generateContent`. */
export function googleProvider(apiKey: string, baseUrl: string): Provider {
  return {
    name: 'google',
    build: (request) => toStorable(buildBody(request)),
    read: (answer, request) => readAnswer(answer.body, request),
    send: (body, options) =>
      exchange(
        {
          provider: 'google',
          request: (fetch, customHeaders) => {
            const model = new GoogleGenerativeAI(apiKey).getGenerativeModel(
              { model: options.model.split('/').map(encodeURIComponent).join('/') },
              { baseUrl, customHeaders },
            );
            const request = structuredClone(body) as unknown as GenerateContentRequest;
            return withFetch(fetch, () => model.generateContent(request));
          },
          requestIdOf: (headers, answer) => textAt(answer, 'responseId') ?? headers.get('x-request-id'),
          errorUnderOk: (answer) => (isJsonObject(at(answer, 'error')) ? { reportedCostUsd: null } : null),
        },
        body,
        options,
      ),
  };
}

/**
 * The one SDK that takes no `fetch`. It binds the global one as a default argument while `generateContent` is being
 * called (`makeModelRequest(…, fetchFn = fetch)` in 0.24.1, dist/index.js), so ours stands there for the length of
 * that call, in which no other code runs. Left to itself the SDK loses: the headers of an error (Retry-After, request
 * id), the cause of a broken connection (never sent or sent and dropped), the exact JSON (three functions are added
 * to it), any limit on its size, and it leaves its timer running. The contract test fails should this stop working.
 */
function withFetch<T>(fetch: typeof globalThis.fetch, call: () => Promise<T>): Promise<T> {
  const held = globalThis.fetch;
  globalThis.fetch = fetch;
  try {
    return call();
  } finally {
    globalThis.fetch = held;
  }
}

/**
 * What asks a model for the least thinking; null: it does not think, and refuses the field. By exact name; `-001`,
 * `-preview` and a date may follow. From ai.google.dev/gemini-api/docs/thinking and docs.cloud.google.com's tables
 * of thinking levels, read in November 2026: a budget of 0 stops 2.5 Flash alone, 2.5 Pro takes no less than 128,
 * and from Gemini 3 on there are only levels, of which `minimal` may still think.
 */
const LEAST_THINKING: Record<string, Record<string, unknown> | null> = {
  'gemini-2.0-flash': null,
  'gemini-2.0-flash-lite': null,
  'gemini-2.5-flash': { thinkingBudget: 0 },
  'gemini-2.5-flash-lite': { thinkingBudget: 0 },
  'gemini-2.5-pro': { thinkingBudget: 128 },
  'gemini-3-flash': { thinkingLevel: 'minimal' },
  'gemini-3-pro': { thinkingLevel: 'low' },
  'gemini-3.1-pro': { thinkingLevel: 'low' },
  'gemini-3.1-flash-lite': { thinkingLevel: 'minimal' },
  'gemini-3.5-flash': { thinkingLevel: 'minimal' },
  'gemini-3.7-flash': { thinkingLevel: 'low' },
  'gemini-3.8-flash': { thinkingLevel: 'low' },
};

/** undefined: not in the table; nothing is sent then, which every model takes. */
function leastThinking(model: string): Record<string, unknown> | null | undefined {
  const name = model.replace(/^models\//, '').replace(/-(\d{3}|preview)(-[\d-]+)?$/, '');
  return Object.hasOwn(LEAST_THINKING, name) ? LEAST_THINKING[name] : undefined;
}

/** Whether a model thinks even when told not to; unknown models count as such, since it cannot be ruled out. */
export function cannotDisableThinking(model: string): boolean {
  const least = leastThinking(model);
  return least !== null && at(least, 'thinkingBudget') !== 0;
}

function buildBody(request: CompletionRequest): WireBody {
  const thinkingConfig = leastThinking(request.model);
  return {
    generationConfig: {
      maxOutputTokens: request.maxOutputTokens,
      ...(thinkingConfig ? { thinkingConfig } : {}),
    },
    ...(request.tools.length === 0 ? {} : toolFields(request)),
    ...(request.system === ''
      ? {}
      : { systemInstruction: { role: 'system', parts: [{ text: request.system }] } }),
    contents: contentsOf(request),
  };
}

function toolFields({ tools, toolChoice }: CompletionRequest) {
  const functionDeclarations = tools.map(({ name, description, inputSchema }) => {
    const parameters = geminiSchema(inputSchema);
    // An object without properties is refused; a function without parameters is not.
    return { name, description, ...('properties' in parameters ? { parameters } : {}) };
  });
  const functionCallingConfig =
    toolChoice.kind === 'force' ? { mode: 'ANY', allowedFunctionNames: [toolChoice.tool] } : { mode: 'AUTO' };
  return { tools: [{ functionDeclarations }], toolConfig: { functionCallingConfig } };
}

function contentsOf(request: CompletionRequest): Record<string, unknown>[] {
  const callsOf = (answer: WireAnswer, turn: number) => wireCalls(answer.body, turn).map(({ id }) => id);
  return conversationSteps(request.turns, callsOf).flatMap((step): Record<string, unknown>[] => {
    if (step.role === 'user') return [{ role: 'user', parts: [{ text: step.text }] }];
    const content = at(step.answer.body, 'candidates', 0, 'content');
    if (listAt(content, 'parts').length === 0) return [];
    const calls = wireCalls(step.answer.body, step.turn);
    const parts = step.results.map(({ text, isError }, i) => ({
      functionResponse: {
        ...(calls[i]!.rawId === null ? {} : { id: calls[i]!.rawId }),
        name: calls[i]!.tool ?? 'unnamed',
        response: isError ? { error: text } : { result: text },
      },
    }));
    return [
      // Unchanged: Gemini 3 answers 400 when a thought signature of its own is missing.
      content as Record<string, unknown>,
      ...(parts.length === 0 ? [] : [{ role: 'user', parts }]),
    ];
  });
}

interface GeminiCall {
  id: string;
  rawId: string | null;
  tool: string | null;
  input: unknown;
}

/** Ids are often missing, and sometimes twice the same; results find their calls by position. */
function wireCalls(body: unknown, turn: number): GeminiCall[] {
  const calls = listAt(body, 'candidates', 0, 'content', 'parts')
    .map((part) => at(part, 'functionCall'))
    .filter(isJsonObject);
  const ids = callIds(
    calls.map((call) => call.id),
    turn,
  );
  // An argument object without fields is left out of the JSON (protobuf's mapping).
  return calls.map((call, i) => ({
    id: ids[i]!,
    rawId: textAt(call, 'id'),
    tool: textAt(call, 'name'),
    input: call.args ?? {},
  }));
}

function readAnswer(body: unknown, request: CompletionRequest): Completion {
  return { ...outcome(body, request), usage: usageOf(body), reportedModel: textAt(body, 'modelVersion') };
}

function outcome(body: unknown, request: CompletionRequest): CompletionOutcome {
  const blockReason = textAt(body, 'promptFeedback', 'blockReason');
  if (blockReason !== null) return invalid('refused', `prompt blocked: ${blockReason}`);
  if (at(body, 'candidates') === undefined && at(body, 'usageMetadata') === undefined) {
    return invalid('unreadable', 'neither candidates nor usage');
  }
  const calls: ToolCall[] = [];
  for (const { id, tool, input } of wireCalls(body, request.turns.length)) {
    if (tool === null) return invalid('unreadable', 'a call without a name');
    calls.push({ id, tool, arguments: parseArguments(input) });
  }
  const words = listAt(body, 'candidates', 0, 'content', 'parts').filter(
    (part) => at(part, 'thought') !== true,
  );
  const text = words.map((part) => textAt(part, 'text') ?? '').join('');
  const finishReason = textAt(body, 'candidates', 0, 'finishReason');
  if (finishReason !== null && BROKEN_OFF.has(finishReason))
    return invalid('unreadable', `finishReason ${finishReason}`);
  return outcomeOf({ ending: endingOf(finishReason), calls, text }, request);
}

/** Ends for which nobody vouches: what stands there may be half an answer, or none of the model's. */
const BROKEN_OFF = new Set([
  'OTHER',
  'MALFORMED_RESPONSE',
  'MISSING_THOUGHT_SIGNATURE',
  'TOO_MANY_TOOL_CALLS',
]);

/**
 * Reasons that end an answer early (ai.google.dev/api/generate-content#FinishReason; those for images left out); one that
 * is in neither list is taken as an end.
 */
const ENDINGS: Record<string, Exclude<AnswerEnding['kind'], 'complete'>> = {
  MAX_TOKENS: 'truncated',
  SAFETY: 'refused',
  RECITATION: 'refused',
  LANGUAGE: 'refused',
  BLOCKLIST: 'refused',
  PROHIBITED_CONTENT: 'refused',
  SPII: 'refused',
  MALFORMED_FUNCTION_CALL: 'malformed_arguments',
  UNEXPECTED_TOOL_CALL: 'wrong_tool',
};

function endingOf(finishReason: string | null): AnswerEnding {
  if (finishReason === null || !Object.hasOwn(ENDINGS, finishReason)) return { kind: 'complete' };
  return { kind: ENDINGS[finishReason]!, by: `finishReason ${finishReason}` };
}

/**
 * Thoughts are billed as output and stand apart from the candidates; tool-use prompts are input. Where the total is
 * more than all of them, the output is unknown.
 */
function usageOf(body: unknown): Usage {
  const { prompt, toolUse, candidates, thoughts } = tokenParts(body);
  return {
    ...NO_USAGE,
    inputTokens: prompt === null ? null : prompt + (toolUse ?? 0),
    cachedInputTokens: countAt(body, 'usageMetadata', 'cachedContentTokenCount'),
    outputTokens: candidates === null ? null : candidates + (thoughts ?? 0),
    reasoningTokens: thoughts,
  };
}

function tokenParts(body: unknown) {
  const count = (name: string) => countAt(body, 'usageMetadata', name);
  const prompt = count('promptTokenCount');
  const toolUse = count('toolUsePromptTokenCount');
  const thoughts = count('thoughtsTokenCount');
  const total = count('totalTokenCount');
  const told = count('candidatesTokenCount');
  // A count of 0 is left out of the JSON: an answer of thoughts alone has no candidates' count, but a total.
  const rest = total === null || prompt === null ? null : total - prompt - (toolUse ?? 0) - (thoughts ?? 0);
  // A total above its parts: tokens were counted, and may be billed, of which nobody says what they are.
  const isMore = rest !== null && told !== null && rest > told;
  const candidates = isMore ? null : (told ?? (rest !== null && rest >= 0 ? rest : null));
  return { prompt, toolUse, thoughts, candidates };
}
