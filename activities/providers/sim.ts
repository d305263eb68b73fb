import { CALL_FAILURES, type CallFailure, type Completion } from '../../core/completion';
import { randomFrom } from '../../core/random';
import { parseSimModel, type SimFailure, type SimModel, type SimTraits } from '../../core/sim-model';
import { toStorable } from '../../db/storable-text';
import { type AnswerEnding, callIds, invalid, NO_USAGE, outcomeOf, parseArguments } from './answer-outcome';
import { at, countAt, listAt, textAt } from './json-path';
import type { CompletionRequest } from './provider';
import { type Provider, ProviderFailure, type SendOptions, type WireAnswer, type WireBody } from './provider';
import { type SimAnswer, simAnswer } from './sim-answer';

/**
 * Models that need no network and cost simulated dollars. Everything about an answer is drawn from the seed and the
 * ledger key of its request, so the same call always has the same answer. Its texts say "simulated".
 *
 * @param models the named models, `presets/sim-models.json`
 */
export function simProvider(models: Readonly<Record<string, SimTraits>>): Provider {
  return {
    name: 'sim',
    build: buildBody,
    read: readAnswer,
    send: (body, options) => send(models, body, options),
  };
}

function buildBody(request: CompletionRequest): WireBody {
  const { model, system, turns, tools, toolChoice, maxOutputTokens, draw } = request;
  return toStorable({
    model,
    system,
    turns,
    tools,
    toolChoice,
    maxOutputTokens,
    draw,
  } as unknown as WireBody);
}

async function send(
  models: Readonly<Record<string, SimTraits>>,
  body: WireBody,
  options: SendOptions,
): Promise<WireAnswer> {
  options.signal.throwIfAborted();
  const request = body as unknown as CompletionRequest;
  const parsed = parseSimModel(request.model, models);
  if ('problems' in parsed)
    throw new ProviderFailure('bad_request', { provider: 'sim', code: 'unknown_model' });
  const model = parsed.value;
  await sleep(Math.min(model.latencyMs, options.timeoutMs), options.signal);
  if (model.latencyMs > options.timeoutMs) throw new ProviderFailure('timeout', { provider: 'sim' });
  const failure = drawFailure(model, request.draw, attemptOf(options.callId));
  if (failure !== null && !isInvalidAnswer(failure)) throw new ProviderFailure(failure, { provider: 'sim' });
  return { body: wireBody(request, simAnswer(request, model, failure)), requestId: null };
}

/** What is wrong with an answer belongs to its key; what passes when asked again, to the attempt. */
function drawFailure(
  model: SimModel,
  { seed, key }: CompletionRequest['draw'],
  attempt: string,
): SimFailure | null {
  const passes = ({ kind }: SimModel['fail'][number]): boolean =>
    !isInvalidAnswer(kind) && CALL_FAILURES[kind].isRetryable;
  return (
    drawOne(
      model.fail.filter((entry) => !passes(entry)),
      randomFrom(seed, 'sim', 'fail', key).uniform(),
    ) ?? drawOne(model.fail.filter(passes), randomFrom(seed, 'sim', 'fail', key, attempt).uniform())
  );
}

function drawOne(entries: SimModel['fail'], uniform: number): SimFailure | null {
  let draw = uniform;
  for (const { kind, p } of entries) {
    if (draw < p) return kind;
    draw -= p;
  }
  return null;
}

/** A call id is the ledger key, `#` and the attempt's number. */
function attemptOf(callId: string): string {
  return callId.slice(callId.lastIndexOf('#') + 1);
}

/** `unreadable` is a name of both: as an answer, it is paid for and settled. */
function isInvalidAnswer(failure: SimFailure): failure is Exclude<SimFailure, CallFailure> | 'unreadable' {
  return failure === 'unreadable' || !Object.hasOwn(CALL_FAILURES, failure);
}

/** Tokens are a quarter of the bytes, rounded up; what would exceed the cap is cut there. */
function wireBody(request: CompletionRequest, answer: SimAnswer | null): Record<string, unknown> {
  const inputTokens = tokensOf(JSON.stringify(request));
  if (answer === null)
    return { simulated: true, nothing: 'to read', usage: { inputTokens, outputTokens: 1 } };
  const wholeTokens = tokensOf(answer.text + answer.calls.map((call) => call.arguments).join(''));
  const isCut = answer.ending === 'truncated' || wholeTokens > request.maxOutputTokens;
  const outputTokens = Math.min(wholeTokens, request.maxOutputTokens);
  return {
    simulated: true,
    model: request.model,
    ending: isCut ? 'truncated' : answer.ending,
    text: answer.text,
    calls: isCut
      ? answer.calls.map((call) => ({ ...call, arguments: call.arguments.slice(0, outputTokens * 2) }))
      : answer.calls,
    usage: { inputTokens, outputTokens },
  };
}

function tokensOf(text: string): number {
  return Math.max(1, Math.ceil(Buffer.byteLength(text, 'utf8') / 4));
}

function readAnswer({ body }: WireAnswer, request: CompletionRequest): Completion {
  const reported = {
    reportedModel: textAt(body, 'model'),
    usage: {
      ...NO_USAGE,
      inputTokens: countAt(body, 'usage', 'inputTokens'),
      outputTokens: countAt(body, 'usage', 'outputTokens'),
      reasoningTokens: 0,
    },
  };
  const calls = listAt(body, 'calls');
  const ending = endingOf(textAt(body, 'ending'));
  if (ending === null || calls.some((call) => textAt(call, 'tool') === null)) {
    return { ...invalid('unreadable', 'no answer of the sim provider'), ...reported };
  }
  const ids = callIds(
    calls.map(() => null),
    request.turns.length,
  );
  const parts = {
    ending,
    text: textAt(body, 'text') ?? '',
    calls: calls.map((call, i) => ({
      id: ids[i]!,
      tool: textAt(call, 'tool')!,
      arguments: parseArguments(at(call, 'arguments')),
    })),
  };
  return { ...outcomeOf(parts, request), ...reported };
}

function endingOf(ending: string | null): AnswerEnding | null {
  if (ending === 'complete') return { kind: 'complete' };
  return ending === 'refused' || ending === 'truncated' ? { kind: ending, by: 'simulated' } : null;
}

/** @throws the signal's reason when aborted */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
