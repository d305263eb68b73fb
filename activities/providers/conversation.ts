import type { Turn, WireAnswer } from './provider';

/**
 * A conversation with every call answered, which all wires demand: each call of a model turn has its result, in the
 * order of the calls, right behind it.
 */
export type ConversationStep =
  | { role: 'user'; text: string }
  | { role: 'model'; answer: WireAnswer; turn: number; results: CallResult[] };

export interface CallResult {
  callId: string;
  text: string;
  isError: boolean;
}

/** What a model is told of a call that nobody carried out (its answer was invalid, say). */
const NOT_CARRIED_OUT = 'This call was not carried out.';

/**
 * Pairs calls with results. A call without a result is told that it was not carried out; a result without a call on
 * this wire (an answer by native schema has none) becomes words of the user.
 *
 * @param callsOf ids of the calls in a model turn as the wire will echo it, in its order
 */
export function conversationSteps(
  turns: Turn[],
  callsOf: (answer: WireAnswer, turn: number) => string[],
): ConversationStep[] {
  const steps: ConversationStep[] = [];
  turns.forEach((turn, index) => {
    if (turn.role === 'user') steps.push({ role: 'user', text: turn.text });
    if (turn.role === 'model') {
      const results = resultsAfter(turns, index);
      const calls = callsOf(turn.answer, index);
      steps.push({ role: 'model', answer: turn.answer, turn: index, results: paired(calls, results) });
    }
    if (turn.role === 'tools') {
      const before = turns[index - 1];
      const calls = before?.role === 'model' ? callsOf(before.answer, index - 1) : [];
      const loose = turn.results.filter((result) => !calls.includes(result.callId));
      if (loose.length > 0) steps.push({ role: 'user', text: loose.map(inWords).join('\n\n') });
    }
  });
  return steps;
}

type ToolResult = Extract<Turn, { role: 'tools' }>['results'][number];

function resultsAfter(turns: Turn[], index: number): ToolResult[] {
  const next = turns[index + 1];
  return next?.role === 'tools' ? next.results : [];
}

function paired(calls: string[], results: ToolResult[]): CallResult[] {
  return calls.map((callId) => {
    const found = results.find((result) => result.callId === callId);
    return found
      ? { callId, text: found.text, isError: found.isError }
      : { callId, text: NOT_CARRIED_OUT, isError: true };
  });
}

function inWords(result: ToolResult): string {
  return `${result.isError ? 'Error from' : 'Result of'} ${result.tool}:\n${result.text}`;
}
