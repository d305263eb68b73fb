import type { CompletionOutcome, InvalidAnswer, ToolCall, Usage } from '../../core/completion';
import { isJsonObject } from '../../core/json-object';
import { isDeeperThan } from '../json-depth';
import type { CompletionRequest } from './provider';

/** An answer as any wire tells it, before it is judged. */
export interface AnswerParts {
  /** How the provider says it ended. */
  ending: AnswerEnding;
  calls: ToolCall[];
  /** The words beside the calls, reasoning left out. */
  text: string;
}

export type AnswerEnding =
  | { kind: 'complete' }
  /** Found by the provider before we could: refused, cut, or a call it could not parse. `by` names its own word for it. */
  | {
      kind: Extract<InvalidAnswer, 'refused' | 'truncated' | 'malformed_arguments' | 'wrong_tool'>;
      by: string;
    };

/**
 * What an answer came to. Several things can be wrong with one answer; the first of this list names it:
 *
 * 1. `unreadable`: decided by the wire, before there are parts
 * 2. `refused`: whatever came beside a refusal, the model does not stand by it
 * 3. `truncated`: the provider says it was cut, so what parses may still be half of it
 * 4. `malformed_arguments`, `wrong_tool` where the provider itself reports a broken call
 * 5. no calls: `no_call` when there are words, `empty` when there are none (not forced: `text` or `empty`)
 * 6. `wrong_tool`: any call to another tool than the forced one, even beside the right one
 * 7. `several_calls`
 * 8. `malformed_arguments`
 *
 * Words beside a forced call are no fault. Nothing is fished out of prose, and nothing is unfenced.
 */
export function outcomeOf(parts: AnswerParts, request: CompletionRequest): CompletionOutcome {
  const { ending, calls, text } = parts;
  if (ending.kind !== 'complete') return invalid(ending.kind, ending.by);
  if (request.toolChoice.kind === 'force') return forcedOutcome(parts, request.toolChoice.tool, request);
  if (calls.length > 0) return { kind: 'tool_calls', calls, text };
  return text.trim() === '' ? invalid('empty', 'neither words nor calls') : { kind: 'text', text };
}

function forcedOutcome(
  { calls, text }: AnswerParts,
  forced: string,
  request: CompletionRequest,
): CompletionOutcome {
  const [call] = calls;
  if (!call) {
    return text.trim() === ''
      ? invalid('empty', 'neither words nor calls')
      : invalid('no_call', `${text.length} characters of words instead of a call`);
  }
  const wrong = calls.find((each) => each.tool !== forced);
  if (wrong) return invalid('wrong_tool', `called ${offeredName(wrong.tool, request)}`);
  if (calls.length > 1) return invalid('several_calls', `${calls.length} calls`);
  if (!call.arguments) return invalid('malformed_arguments', 'not one JSON object');
  return { kind: 'recorded', callId: call.id, tool: forced, arguments: call.arguments };
}

export function invalid(
  reason: InvalidAnswer,
  detail: string,
): Extract<CompletionOutcome, { kind: 'invalid' }> {
  return { kind: 'invalid', reason, detail };
}

/** A name of the model's own making may be any text, so only names that we offered are repeated. */
function offeredName(tool: string, request: CompletionRequest): string {
  return request.tools.some((offered) => offered.name === tool) ? tool : 'a tool that was not offered';
}

export const NO_USAGE: Usage = {
  inputTokens: null,
  cachedInputTokens: null,
  cacheWriteTokens: null,
  outputTokens: null,
  reasoningTokens: null,
  reportedCostUsd: null,
};

/** Deeper than any schema of ours by far; keeps what walks the arguments later from running out of stack. */
const MAX_ARGUMENT_DEPTH = 100;

/** The arguments of a call: an object, or the JSON text of exactly one; null for anything else. */
export function parseArguments(raw: unknown): Record<string, unknown> | null {
  const value = typeof raw === 'string' ? parseJson(raw) : raw;
  return isJsonObject(value) && !isDeeperThan(value, MAX_ARGUMENT_DEPTH) ? value : null;
}

/** The value of a JSON text; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The ids of a turn's calls: the provider's own where they are there and differ, else `call_<turn>_<n>`. The same
 * answer at the same place in the conversation always gives the same ids, so results find their calls again.
 *
 * @param turn index of the answer among the conversation's turns
 */
export function callIds(rawIds: unknown[], turn: number): string[] {
  const taken = new Set<string>();
  return rawIds.map((raw, index) => {
    const isUsable = typeof raw === 'string' && raw.trim() !== '' && !taken.has(raw);
    let id = isUsable ? raw : `call_${turn}_${index + 1}`;
    while (taken.has(id)) id += '_';
    taken.add(id);
    return id;
  });
}
