import type { PaidAnswer } from '../../activities/paid-call';
import { NO_USAGE } from '../../activities/providers/answer-outcome';
import { readPredictions } from '../../activities/scipivot/predictions';
import { sessionOutcome } from '../../activities/session-outcome';
import type { CallFailure, CompletionOutcome, InvalidAnswer } from '../../core/completion';

function answered(outcome: CompletionOutcome): PaidAnswer {
  const completion = { usage: NO_USAGE, reportedModel: null, ...outcome };
  return { kind: 'answered', completion, answer: { body: null, requestId: null } };
}
const invalid = (reason: InvalidAnswer) => answered({ kind: 'invalid', reason, detail: '' });
const unanswered = (reason: CallFailure | 'attempts_exhausted'): PaidAnswer => ({
  kind: 'unanswered',
  reason,
});

test.each(['A', ' {"answer": "B"}\n', 'I would choose plan A.', '', 'ｂ'])(
  'the words %j are ok and stay as they came: whether they are an answer is for the scorer',
  (text) => {
    const outcome = sessionOutcome(answered({ kind: 'text', text }), null);
    expect(outcome).toEqual({ status: 'ok', response: text, reason: null });
  },
);

test.each<[InvalidAnswer, string, string | null]>([
  ['refused', 'refused', null],
  ['truncated', 'truncated', null],
  ['unreadable', 'provider_error', null],
  ['empty', 'ok', ''],
  ['no_call', 'ok', ''],
  ['malformed_arguments', 'ok', ''],
  ['wrong_tool', 'ok', ''],
  ['several_calls', 'ok', ''],
])('an answer that is %s ends as %s', (reason, status, response) => {
  expect(sessionOutcome(invalid(reason), null)).toEqual({ status, response, reason });
});

test.each<[CallFailure | 'attempts_exhausted', CallFailure | null, string, string]>([
  ['timeout', null, 'timeout', 'timeout'],
  ['unauthorized', null, 'provider_error', 'unauthorized'],
  ['context_too_long', null, 'provider_error', 'context_too_long'],
  ['attempts_exhausted', 'timeout', 'timeout', 'timeout'],
  ['attempts_exhausted', 'server_error', 'provider_error', 'server_error'],
  ['attempts_exhausted', null, 'provider_error', 'attempts_exhausted'],
])('no answer for %s, the last failure %s, ends as %s', (reason, last, status, shown) => {
  expect(sessionOutcome(unanswered(reason), last)).toEqual({ status, response: null, reason: shown });
});

test('two million quotation marks are cut to a text whose line a scorer still takes, and that is no answer', async () => {
  const { status, response } = sessionOutcome(answered({ kind: 'text', text: '"'.repeat(2_000_000) }), null);
  const line = JSON.stringify({ case_id: 'c', order: 'ab', status, response });
  async function* lines() {
    yield { number: 1, bytes: Buffer.from(line) };
  }
  const [prediction] = await readPredictions(lines(), new Set(['c']));
  expect(prediction?.outcome).toEqual({ kind: 'unparseable' });
});
