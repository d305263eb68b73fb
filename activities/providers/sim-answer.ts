import type { InvalidAnswer } from '../../core/completion';
import { type Random, randomFrom } from '../../core/random';
import { fixtureAnswer } from '../../core/scipivot/fixture-merit';
import { swap } from '../../core/scipivot/public-case';
import type { SimModel } from '../../core/sim-model';
import { listAt, textAt } from './json-path';
import type { CompletionRequest, ToolSpec } from './provider';
import { simArguments } from './sim-arguments';
import { simHypothesis } from './sim-hypothesis';
import { drawTopic, pick, sentences } from './sim-prose';
import { simVerdict } from './sim-verdict';

/** What a sim model says: arguments as JSON text, as the real wires have them. */
export interface SimAnswer {
  ending: 'complete' | 'refused' | 'truncated';
  text: string;
  calls: { tool: string; arguments: string }[];
}

/**
 * The answer to a request.
 *
 * @param failure how it is to be wrong; null: as it should be
 * @returns null for an answer that cannot be read
 */
export function simAnswer(
  request: CompletionRequest,
  model: SimModel,
  failure: InvalidAnswer | null,
): SimAnswer | null {
  const random = randomFrom(request.draw.seed, 'sim', 'answer', request.model, request.draw.key);
  const answer = goodAnswer(request, model, random);
  return failure === null ? answer : spoiled(answer, failure);
}

function goodAnswer(request: CompletionRequest, model: SimModel, random: Random): SimAnswer {
  const { tools, toolChoice } = request;
  if (toolChoice.kind === 'force') {
    const tool = tools.find(({ name }) => name === toolChoice.tool);
    if (tool) return called([record(request, model, tool, random)]);
  }
  if (tools.length > 0) return called(freeCalls(request, model, random));
  return { ending: 'complete', text: words(request, model, random), calls: [] };
}

function called(calls: SimAnswer['calls']): SimAnswer {
  return { ending: 'complete', text: '', calls };
}

function record(request: CompletionRequest, model: SimModel, tool: ToolSpec, random: Random) {
  const isFixed = model.answer === 'always-a';
  const known = knownValues(request, model, tool, random);
  const args = simArguments(random, tool.inputSchema, known, isFixed);
  return { tool: tool.name, arguments: JSON.stringify(args) };
}

/** What stands in a record by more than its schema. */
function knownValues(
  request: CompletionRequest,
  model: SimModel,
  tool: ToolSpec,
  random: Random,
): Record<string, unknown> {
  if (tool.name === 'record_hypothesis') {
    const strength = model.skill + model.spread * random.normal();
    return { ...simHypothesis(random, strength, urlsSeen(request)) };
  }
  if (tool.name === 'record_verdict') {
    const prompt = request.turns.map((turn) => (turn.role === 'user' ? turn.text : '')).join('\n');
    const judge = { accuracy: model.accuracy, bias: model.bias, isFixed: model.answer === 'always-a' };
    return { ...simVerdict(random, prompt, judge, criteriaOf(tool)) };
  }
  return {};
}

function criteriaOf(tool: ToolSpec): string[] {
  const named = listAt(tool.inputSchema, 'properties', 'scores', 'items', 'properties', 'criterion', 'enum');
  return named.length > 0 ? named.map(String) : ['novelty', 'plausibility', 'testability', 'relevance'];
}

/** A search or two first, perhaps a second round, then the record: as a model that reads before it writes. */
function freeCalls(request: CompletionRequest, model: SimModel, random: Random): SimAnswer['calls'] {
  const rounds = request.turns.filter((turn) => turn.role === 'model').length;
  const recording = request.tools.find(({ name }) => name.startsWith('record_'));
  const readsOn = rounds === 0 || (rounds === 1 && random.uniform() < 0.5);
  const urls = urlsSeen(request);
  const readers = request.tools.filter((tool) => tool !== recording && (urls.length > 0 || !takesUrl(tool)));
  if (recording && (!readsOn || readers.length === 0)) return [record(request, model, recording, random)];
  return random
    .shuffle(readers)
    .slice(0, random.integers(1, 3))
    .map((tool) => {
      const known = urls.length > 0 ? { url: pick(random, urls) } : {};
      const args = simArguments(random, tool.inputSchema, known, false);
      return { tool: tool.name, arguments: JSON.stringify(args) };
    });
}

function takesUrl(tool: ToolSpec): boolean {
  return listAt(tool.inputSchema, 'required').includes('url');
}

/** Addresses that tools have returned in this conversation, each once, in order. */
function urlsSeen({ turns }: CompletionRequest): string[] {
  const texts = turns.flatMap((turn) => (turn.role === 'tools' ? turn.results : []));
  const found = texts
    .filter(({ isError }) => !isError)
    .flatMap(({ text }) => text.match(/https?:\/\/[^\s"'<>()[\]]+/g) ?? []);
  return [...new Set(found.map((url) => url.replace(/[.,;:]+$/, '')))];
}

/**
 * Words where no tool is there: a bare letter to a question between A and B, else a paragraph. Of two plans of our
 * own SciΠvot fixture it names the better one with the chance that is its accuracy; what knows less than a coin
 * tosses one.
 */
function words(request: CompletionRequest, model: SimModel, random: Random): string {
  const asked = `${request.system}\n${request.turns.map((turn) => textAt(turn, 'text') ?? '').join('\n')}`;
  const better = fixtureAnswer(asked);
  const isRight = random.uniform() < (better === null ? 0.5 : Math.max(0.5, model.accuracy));
  const letter = isRight ? (better ?? 'A') : swap(better ?? 'A');
  if (/\bA\b\W{0,4}\bor\b\W{0,4}\bB\b/.test(asked)) return model.answer === 'always-a' ? 'A' : letter;
  const topic = drawTopic(random);
  return `${sentences(random, topic, 'arguments', 3).join(' ')} (simulated)`;
}

function spoiled(answer: SimAnswer, failure: InvalidAnswer): SimAnswer | null {
  const [call] = answer.calls;
  switch (failure) {
    case 'no_call':
      return { ending: 'complete', text: 'Words instead of a call (simulated).', calls: [] };
    case 'empty':
      return { ending: 'complete', text: '', calls: [] };
    case 'refused':
      return { ending: 'refused', text: 'I would rather not (simulated).', calls: [] };
    case 'truncated':
      return { ...answer, ending: 'truncated' };
    case 'malformed_arguments':
      return { ...answer, calls: [{ tool: call?.tool ?? 'none', arguments: '```json\n{}\n```' }] };
    case 'wrong_tool':
      return { ...answer, calls: [{ tool: 'record_something_else', arguments: '{}' }] };
    case 'several_calls':
      return { ...answer, calls: call ? [call, call] : [] };
    case 'unreadable':
      return null;
  }
}
