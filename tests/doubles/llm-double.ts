import { createHash } from 'node:crypto';
import { at, listAt, textAt } from '../../activities/providers/json-path';
import { simArguments } from '../../activities/providers/sim-arguments';
import { simHypothesis } from '../../activities/providers/sim-hypothesis';
import { type Random, randomFrom } from '../../core/random';
import { type RawReply, type SeenRequest, startRawDouble } from './raw-llm-double';
import { type PlainAnswer, type PlainCall, type WireName, wireAnswer } from './wire-answers';

export interface LlmDouble {
  url: string;
  /** Every request that came: path, headers, body, call id, status sent, tokens billed. */
  journal: SeenRequest[];
  /** Environment with a key and this address for every provider: `openProviders({...double.env})`. */
  env: Record<string, string>;
  /** Faults come first, in this order, one a request. */
  failNext(...faults: RawReply[]): void;
  stop(): Promise<void>;
}

export interface LlmDoubleOptions {
  /** Before every answer, in milliseconds. */
  latencyMs?: number;
  /** A fault for this request; null: answer it. Called before `failNext` is looked at. */
  faultFor?(request: SeenRequest): RawReply | null;
}

/**
 * Model servers for whole-bench tests: Claude, Responses, Gemini, OpenRouter and Chat on one port. Forced calls get
 * arguments that their schema accepts, drawn from a hash of the request, so the same request always has the same
 * answer. Tokens are billed at a quarter of the bytes.
 */
export async function startLlmDouble(options: LlmDoubleOptions = {}): Promise<LlmDouble> {
  const faults: RawReply[] = [];
  const raw = await startRawDouble(async (request) => {
    if (options.latencyMs) await new Promise((resolve) => setTimeout(resolve, options.latencyMs));
    return options.faultFor?.(request) ?? faults.shift() ?? answerRequest(request);
  });
  return {
    url: raw.url,
    journal: raw.requests,
    env: doubleEnv(raw.url),
    failNext: (...added) => void faults.push(...added),
    stop: raw.stop,
  };
}

function doubleEnv(url: string): Record<string, string> {
  return {
    ANTHROPIC_API_KEY: 'double-key-anthropic',
    ANTHROPIC_BASE_URL: url,
    OPENAI_API_KEY: 'double-key-openai',
    OPENAI_BASE_URL: `${url}/openai/v1`,
    GOOGLE_API_KEY: 'double-key-google',
    GOOGLE_BASE_URL: url,
    OPENROUTER_API_KEY: 'double-key-openrouter',
    OPENROUTER_BASE_URL: `${url}/openrouter/api/v1`,
    OPENAI_COMPATIBLE_API_KEY: 'double-key-compatible',
    OPENAI_COMPATIBLE_BASE_URL: `${url}/compatible/v1`,
  };
}

function answerRequest(request: SeenRequest): RawReply {
  const wire = wireOf(request.path);
  if (wire === null) return { kind: 'json', status: 404, body: { error: { message: 'no such path' } } };
  const asked = readAsked(wire, request);
  const random = randomFrom(0, createHash('sha256').update(request.path).update(request.text).digest('hex'));
  // Claude models that cannot be forced are asked for an answer by schema instead.
  const schema = at(request.body, 'output_config', 'format', 'schema');
  const calls = schema === undefined ? [choose(asked, random)].filter((call) => call !== null) : [];
  const byShape = schema === undefined ? 'A word of the double.' : JSON.stringify(fill(random, schema));
  const text = calls.length === 0 ? byShape : undefined;
  const input = tokensOf(request.text);
  const output = tokensOf(calls.map((call) => JSON.stringify(call.arguments)).join('') || (text ?? ''));
  const answer: PlainAnswer = {
    model: asked.model,
    calls,
    input,
    output,
    costUsd: (input + output) / 1e6,
    ...(text === undefined ? {} : { text }),
  };
  return { kind: 'json', body: wireAnswer(wire, answer), billed: { input, output } };
}

function wireOf(path: string): WireName | null {
  if (path.endsWith('/v1/messages')) return 'messages';
  if (path.endsWith('/responses')) return 'responses';
  if (path.endsWith(':generateContent')) return 'gemini';
  if (path.endsWith('/chat/completions')) return path.startsWith('/openrouter/') ? 'openrouter' : 'chat';
  return null;
}

interface Asked {
  model: string;
  tools: { name: string; schema: unknown }[];
  forced: string | null;
  /** Whether a tool has been answered already in this conversation. */
  hasResults: boolean;
}

function readAsked(wire: WireName, { path, body, text }: SeenRequest): Asked {
  const hasResults = /"(tool_result|function_call_output|functionResponse|tool_call_id)"/.test(text);
  if (wire === 'gemini') {
    const tools = listAt(body, 'tools', 0, 'functionDeclarations').map((tool) => ({
      name: textAt(tool, 'name') ?? '',
      schema: at(tool, 'parameters'),
    }));
    const forced = textAt(body, 'toolConfig', 'functionCallingConfig', 'allowedFunctionNames', 0);
    return { model: /models\/([^:]+):/.exec(path)?.[1] ?? '', tools, forced, hasResults };
  }
  const tools = listAt(body, 'tools').map((tool) => ({
    name: textAt(tool, 'name') ?? textAt(tool, 'function', 'name') ?? '',
    schema: at(tool, 'input_schema') ?? at(tool, 'parameters') ?? at(tool, 'function', 'parameters'),
  }));
  const forced = textAt(body, 'tool_choice', 'name') ?? textAt(body, 'tool_choice', 'function', 'name');
  return { model: textAt(body, 'model') ?? '', tools, forced, hasResults };
}

/** The forced tool; else one other tool before any result, then the tool that records; null: words. */
function choose({ tools, forced, hasResults }: Asked, random: Random): PlainCall | null {
  const recorder = tools.find(({ name }) => name.startsWith('record_'));
  const reader = hasResults ? undefined : tools.find((tool) => tool !== recorder);
  const tool = forced === null ? (reader ?? recorder) : tools.find(({ name }) => name === forced);
  if (!tool) return null;
  return { tool: tool.name, arguments: fill(random, tool.schema) };
}

/** A hypothesis where the schema asks for the parts of one; else whatever it takes. */
function fill(random: Random, schema: unknown): Record<string, unknown> {
  return simArguments(random, schema, { ...simHypothesis(random, 0, []) }, false);
}

function tokensOf(text: string): number {
  return Math.max(1, Math.ceil(Buffer.byteLength(text, 'utf8') / 4));
}
