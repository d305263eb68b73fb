import { createHash } from 'node:crypto';
import { stringify } from 'safe-stable-stringify';
import type { ToolCall } from '../../core/completion';
import type { StoredToolAnswer, StoredToolCall } from '../../db/tool-calls';

export interface TurnPlace {
  benchId: string;
  hypothesisId: string;
  turn: number;
}

/**
 * What is to be done about the tools a model called in one turn, decided once, in its order: a call equal to an
 * earlier one is answered from it; one beyond the cap, of a tool that is not offered, or with arguments that cannot
 * be read is answered at once. The rest waits to be run. Equal: the same tool and the same arguments but for the
 * order of keys.
 */
export function planToolCalls(
  place: TurnPlace,
  calls: readonly ToolCall[],
  earlier: readonly StoredToolCall[],
  limits: { maxToolCalls: number; offered: readonly string[] },
): StoredToolCall[] {
  const planned: StoredToolCall[] = [];
  for (const [index, call] of calls.entries()) {
    const argumentsText = call.arguments === null ? null : (stringify(call.arguments) ?? null);
    const row: StoredToolCall = {
      ...place,
      index,
      callId: call.id,
      tool: call.tool,
      arguments: argumentsText,
      argumentsSha256: hashCall(call.tool, argumentsText),
      repeats: null,
      answer: null,
    };
    const known = [...earlier, ...planned];
    const same = known.find((other) => isRun(other) && other.argumentsSha256 === row.argumentsSha256);
    if (argumentsText === null)
      row.answer = refuse('bad_arguments', 'The arguments were not one JSON object.');
    else if (!limits.offered.includes(call.tool)) {
      row.answer = refuse('unknown_tool', `There is no such tool here. Tools: ${limits.offered.join(', ')}.`);
    } else if (same) row.repeats = { turn: same.turn, index: same.index };
    else if (known.filter(isRun).length >= limits.maxToolCalls) {
      row.answer = refuse(
        'tool_limit',
        `Not run: the limit of ${limits.maxToolCalls} tool calls is reached.`,
      );
    }
    planned.push(row);
  }
  return planned;
}

/** Calls that were, or will be, run: neither refused by us nor answered from an earlier one. */
export function isRun(call: StoredToolCall): boolean {
  return call.repeats === null && !OUR_REFUSALS.has(call.answer?.failureKind ?? '');
}

const OUR_REFUSALS = new Set(['bad_arguments', 'unknown_tool', 'tool_limit']);

function refuse(failureKind: string, text: string): StoredToolAnswer {
  return {
    outcome: 'refused',
    failureKind,
    text,
    documents: [],
    cache: null,
    withheldCount: 0,
    latencyMs: null,
  };
}

function hashCall(tool: string, argumentsText: string | null): string {
  return createHash('sha256')
    .update(`${tool}\n${argumentsText ?? ''}`, 'utf8')
    .digest('hex');
}
