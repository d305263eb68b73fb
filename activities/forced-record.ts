import type { PaidAnswer } from './paid-call';
import type { Checked } from './record-schemas';

/** The record a forced call came to, or why there is none. */
export type ForcedRecord<T> =
  | { state: 'valid'; record: T }
  | { state: 'invalid'; reason: string; detail: string };

/** Reads a forced call's answer against its schema: one look, no second try, nothing mended. */
export function readForcedRecord<T>(
  answer: PaidAnswer,
  check: (value: unknown) => Checked<T>,
): ForcedRecord<T> {
  if (answer.kind === 'unanswered') return { state: 'invalid', reason: answer.reason, detail: '' };
  const { completion } = answer;
  if (completion.kind === 'invalid') {
    return { state: 'invalid', reason: completion.reason, detail: completion.detail };
  }
  if (completion.kind !== 'recorded') return { state: 'invalid', reason: 'no_call', detail: '' };
  const checked = check(completion.arguments);
  return 'record' in checked
    ? { state: 'valid', record: checked.record }
    : { state: 'invalid', reason: 'schema', detail: checked.problems.join('; ') };
}
