import { createHash } from 'node:crypto';
import type { ChatCompletionRequest } from '@copilotkit/aimock';
import { simArguments } from '../../../activities/providers/sim-arguments';
import { simHypothesis } from '../../../activities/providers/sim-hypothesis';
import { type Random, randomFrom } from '../../../core/random';
import { callAnswer, countModelTurns, type ModelAnswer, type ModelCall, textAnswer } from '../model-answer';

/** Shares of requests whose answer is always cut short, or always declined. */
const TRUNCATED = 0.03;
const REFUSED = 0.02;
/** Turns in which a model with tools searches, before it records. */
const READING_TURNS = 2;

/**
 * What all models of the chaos bench say, drawn from a hash of the request: the same request has the same answer in
 * every run. Ids that a server makes up are left out of it.
 */
export function answerByHash(request: ChatCompletionRequest): ModelAnswer {
  const random = randomFrom(0, hashRequest(request));
  const fate = random.uniform();
  if (fate < TRUNCATED) return textAnswer(request, '{"title": "A drug that', 'length');
  // No wire of aimock's tells a refusal of OpenAI's own.
  if (fate < TRUNCATED + REFUSED && !request.model.startsWith('gpt')) {
    const reason = request.model.startsWith('claude') ? 'refusal' : 'content_filter';
    return textAnswer(request, 'I would rather not.', reason);
  }
  const names = (request.tools ?? []).map((tool) => tool.function.name);
  const searches = names.filter((name) => name.startsWith('search_'));
  if (searches.length > 0 && countModelTurns(request) < READING_TURNS) {
    return callAnswer(request, [search(searches, random), search(searches, random)]);
  }
  const recorder = names.find((name) => name.startsWith('record_'));
  if (!recorder) return textAnswer(request, 'There is nothing to record here.');
  return callAnswer(request, [{ tool: recorder, arguments: record(request, recorder, random) }]);
}

function hashRequest({ model, messages, tools }: ChatCompletionRequest): string {
  const said = messages.map(({ role, content, tool_calls: calls }) => [
    role,
    content,
    (calls ?? []).map(({ function: called }) => [called.name, called.arguments]),
  ]);
  const asked = [model, said, (tools ?? []).map((tool) => tool.function.name)];
  return createHash('sha256').update(JSON.stringify(asked)).digest('hex');
}

const WORDS = ['stem cell', 'mitochondria', 'venetoclax', 'iron', 'niche', 'repurposing', 'quiescence'];

function search(tools: readonly string[], random: Random): ModelCall {
  const tool = tools[random.integers(0, tools.length)] ?? '';
  const words = [0, 0].map(() => WORDS[random.integers(0, WORDS.length)]);
  return { tool, arguments: { query: words.join(' '), maxResults: 2 } };
}

function record(request: ChatCompletionRequest, tool: string, random: Random): Record<string, unknown> {
  const schema = request.tools?.find((it) => it.function.name === tool)?.function.parameters;
  return simArguments(random, schema, { ...simHypothesis(random, 0, []) }, false);
}
