import { type AttemptLimits, decideCall, type PastAttempt } from '../../core/call-decision';
import type { CallFailure } from '../../core/completion';

const LIMITS: AttemptLimits = { maxAttempts: 4, maxThrottledMs: 2 * 3_600_000 };
const INTENT = { requestSha256: 'a'.repeat(64), epoch: 1 };

/** Attempts that failed so, the first of them so long ago, in milliseconds. */
function failed(kind: CallFailure, times: number, ageMs: number, epoch = 1): PastAttempt[] {
  return Array.from({ length: times }, (_, i) => ({
    attempt: i + 1,
    state: 'failed' as const,
    requestSha256: INTENT.requestSha256,
    epoch,
    failureKind: kind,
    leaseLeftMs: 0,
    ageMs: ageMs - i,
  }));
}

describe.each(['not_sent', 'rate_limited', 'overloaded'] as const)('%s', (kind) => {
  test('is bounded by time and not by tries: the 500th try within 2 hours still goes out', () => {
    const past = failed(kind, 499, 2 * 3_600_000 - 1);
    expect(decideCall(past, INTENT, LIMITS)).toEqual({ kind: 'send', attempt: 500 });
  });

  test('ends 2 hours after the first: then the attempts are used up, be they only 2', () => {
    const past = failed(kind, 2, 2 * 3_600_000 + 1);
    expect(decideCall(past, INTENT, LIMITS)).toEqual({ kind: 'give_up', reason: 'attempts_exhausted' });
  });

  test('is forgotten by a resume: in the next epoch it is asked again, as attempt 3', () => {
    const past = failed(kind, 2, 2 * 3_600_000 + 1);
    expect(decideCall(past, { ...INTENT, epoch: 2 }, LIMITS)).toEqual({ kind: 'send', attempt: 3 });
  });
});

test.each(['server_error', 'unreadable', 'timeout', 'dropped'] as const)(
  '%s may be asked 4 times, however soon',
  (kind) => {
    expect(decideCall(failed(kind, 3, 10), INTENT, LIMITS)).toEqual({ kind: 'send', attempt: 4 });
    expect(decideCall(failed(kind, 4, 10), INTENT, LIMITS)).toEqual({
      kind: 'give_up',
      reason: 'attempts_exhausted',
    });
  },
);

test('being put off does not count as a try: 3 errors and 9 refusals leave one more', () => {
  const past = [...failed('server_error', 3, 50), ...failed('rate_limited', 9, 50)].map((row, i) => ({
    ...row,
    attempt: i + 1,
  }));
  expect(decideCall(past, INTENT, LIMITS)).toEqual({ kind: 'send', attempt: 13 });
});
