import type { CallFailure, InvalidAnswer } from '../core/completion';
import type { PredictionStatus } from '../core/scipivot/score';
import type { PaidAnswer } from './paid-call';
import { LONGEST_LINE_BYTES } from './scipivot/references';

/** How a session ended. `response` is the raw text, null exactly where the status is not `ok`. */
export interface SessionOutcome {
  status: PredictionStatus;
  response: string | null;
  /** What the status leaves out: the answer's or the failure's kind; null where there is nothing to add. */
  reason: string | null;
}

/**
 * What a session's answer goes into the predictions as. Words are `ok`, whatever they are: whether they are an answer
 * is for the scorer to say, and nobody is asked again because of it.
 * @param lastFailure of the attempts, where nobody answered and the attempts are used up
 */
export function sessionOutcome(answer: PaidAnswer, lastFailure: CallFailure | null): SessionOutcome {
  if (answer.kind === 'unanswered') {
    const kind = answer.reason === 'attempts_exhausted' ? lastFailure : answer.reason;
    return without(kind === 'timeout' ? 'timeout' : 'provider_error', kind ?? answer.reason);
  }
  const { completion } = answer;
  switch (completion.kind) {
    case 'text':
      return words(completion.text, null);
    case 'tool_calls':
      return words(completion.text, 'tool_calls');
    case 'recorded':
      return words('', 'tool_calls');
    case 'invalid':
      return INVALID[completion.reason](completion.reason);
  }
}

/** A call of a tool that nobody offered is an answer of the model's, with nothing in it that can be read. */
const INVALID: Record<InvalidAnswer, (reason: InvalidAnswer) => SessionOutcome> = {
  refused: (reason) => without('refused', reason),
  truncated: (reason) => without('truncated', reason),
  unreadable: (reason) => without('provider_error', reason),
  empty: (reason) => words('', reason),
  no_call: (reason) => words('', reason),
  malformed_arguments: (reason) => words('', reason),
  wrong_tool: (reason) => words('', reason),
  several_calls: (reason) => words('', reason),
};

function without(status: Exclude<PredictionStatus, 'ok'>, reason: string): SessionOutcome {
  return { status, response: null, reason };
}

/** Room for the other fields of its line in predictions.jsonl. */
const LONGEST_RESPONSE_BYTES = LONGEST_LINE_BYTES - 10_000;
const KEPT_CHARACTERS = 1_000;

/** A text too long for a line of predictions is no answer under any reading: its beginning stands for it. */
function words(text: string, reason: string | null): SessionOutcome {
  const bytes = Buffer.byteLength(JSON.stringify(text));
  if (bytes <= LONGEST_RESPONSE_BYTES) return { status: 'ok', response: text, reason };
  return { status: 'ok', response: `${text.slice(0, KEPT_CHARACTERS)}…`, reason: `cut from ${bytes} bytes` };
}
