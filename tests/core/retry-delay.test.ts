import fc from 'fast-check';
import { retryDelay } from '../../core/retry-delay';

const PACE = { retryDelayMs: 2_000, maxRetryAfterMs: 300_000 };

test('without a word from the provider it waits 2, 8, 32, 128 and then 300 s', () => {
  const waits = [1, 2, 3, 4, 5, 6, 1_000].map((attempt) => retryDelay(attempt, undefined, PACE));
  expect(waits).toEqual([2_000, 8_000, 32_000, 128_000, 300_000, 300_000, 300_000]);
});

test('a provider that asks for 20 s gets 20 s, one that asks for 10^9 s gets 300', () => {
  expect(retryDelay(1, 20_000, PACE)).toBe(20_000);
  expect(retryDelay(1, 1e12, PACE)).toBe(300_000);
  expect(retryDelay(1, Number.POSITIVE_INFINITY, PACE)).toBe(300_000);
});

// 2 s × (1 + 2 + … + 15) = 240 s for the first 15, then 30 s each: 15 + (7200 − 240) / 30 = 247
test('one that says "at once" for two hours is asked 247 times, not as fast as it answers', () => {
  let atMs = 0;
  let requests = 0;
  while (atMs < 2 * 3_600_000) {
    requests += 1;
    atMs += retryDelay(requests, 0, PACE);
  }
  expect(requests).toBe(247);
});

test('whatever is asked for, it never comes sooner than that, and never later than 300 s', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000 }),
      fc.double({ min: 0, noNaN: true }),
      (attempt, askedMs) => {
        const waitMs = retryDelay(attempt, askedMs, PACE);
        expect(waitMs).toBeGreaterThanOrEqual(Math.min(askedMs, 300_000));
        expect(waitMs).toBeGreaterThanOrEqual(2_000 * Math.min(attempt, 15));
        expect(waitMs).toBeLessThanOrEqual(300_000);
      },
    ),
  );
});
