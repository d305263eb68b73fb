import { at, textAt } from '../../activities/providers/json-path';
import type { BenchInput } from '../../core/bench-input';
import type { RawReply, SeenRequest } from '../doubles/raw-llm-double';
import { type PlainAnswer, wireAnswer } from '../doubles/wire-answers';

/** Which call of the ledger a request is: its key without the bench's id, and its attempt. */
export function placeOf({ callId }: SeenRequest): { key: string; attempt: number } {
  const [key = '', attempt = ''] = (callId ?? '').split('#');
  return { key: key.slice(key.indexOf('/') + 1), attempt: Number(attempt) };
}

/** Whether it asks a model that this input declares a price for. */
export function isOf({ prices = {} }: BenchInput, { body }: SeenRequest): boolean {
  return Object.hasOwn(prices, `openai-compatible:${textAt(body, 'model')}`);
}

/** The tool that a request forces. */
export function forcedTool({ body }: SeenRequest): string {
  return textAt(body, 'tool_choice', 'function', 'name') ?? '';
}

/** A server's answer on the wire of Chat Completions, as the documentation has it. */
export function chatReply(
  request: SeenRequest,
  answer: Omit<PlainAnswer, 'model'>,
  headers: Record<string, string> = {},
): RawReply {
  const model = textAt(request.body, 'model') ?? '';
  return { kind: 'json', headers, body: wireAnswer('chat', { model, input: 10, output: 20, ...answer }) };
}

/** The forced tool called once with these arguments. */
export function recordReply(
  request: SeenRequest,
  values: Record<string, unknown>,
  usage: { input?: number; output?: number } = {},
): RawReply {
  return chatReply(request, { calls: [{ tool: forcedTool(request), arguments: values }], ...usage });
}

/** An error as OpenAI's servers tell it; with the shortest wait, so that a test need not. */
export function errorReply(status: number, message = 'No.'): RawReply {
  return {
    kind: 'json',
    status,
    headers: { 'retry-after-ms': '20' },
    body: { error: { message, type: 'double' } },
  };
}

/** Arguments that each of our tools takes; `words` stand in every text of them. */
export function goodArguments(tool: string, words: string): Record<string, unknown> {
  switch (tool) {
    case 'record_hypothesis':
      return {
        title: words,
        summary: words,
        full_text: words,
        mechanism: words,
        entities: [words],
        citations: [{ url: 'https://example.org/1', title: words, excerpt: words }],
        falsification: words,
      };
    case 'record_review':
      return {
        strengths: [words],
        weaknesses: [words],
        assessment: words,
      };
    case 'record_verdict':
      return { rationale: words, scores: scoresOf(4, 2), winner: 'first' };
    case 'record_argument':
      return { argument: words };
    default:
      return { ready: 'yes' };
  }
}

/** A mark for each criterion that the request's tool names, by `markOf`; `words` stand in every reason. */
export function rubricArguments(
  { body }: SeenRequest,
  markOf: (criterion: string) => number,
  words: string,
): Record<string, unknown> {
  const tool = at(body, 'tools', 0, 'function', 'parameters', 'properties', 'scores', 'items');
  const names = at(tool, 'properties', 'criterion', 'enum') as string[];
  return { scores: names.map((criterion) => ({ criterion, score: markOf(criterion), reason: words })) };
}

function scoresOf(first: number, second: number) {
  return ['novelty', 'plausibility', 'testability', 'relevance'].map((criterion) => ({
    criterion,
    first,
    second,
  }));
}

/** Everything that was said in a request, system prompt included. */
export function promptOf({ body }: SeenRequest): string {
  return JSON.stringify(at(body, 'messages'));
}
