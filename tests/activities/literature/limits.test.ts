import { z } from 'zod';
import { createLiteratureHttp } from '../../../activities/literature/literature-http';
import { literatureTool } from '../../../activities/literature/literature-tool';
import { createMemoryCache } from '../../../activities/literature/memory-cache';
import { createMemorySlots } from '../../../activities/literature/memory-slots';
import type { LiteratureContext } from '../../../activities/literature/source';
import { readRetryAfter } from '../../../activities/retry-after';
import { HostBusy } from '../../../db/host-slots';
import { type LiteratureDouble, startLiteratureDouble } from '../../doubles/literature-double';

let double: LiteratureDouble;
const http = createLiteratureHttp({ userAgent: 'test' });
beforeAll(async () => {
  double = await startLiteratureDouble();
});
afterAll(async () => {
  await http.close();
  await double.close();
});

const context = (signal = new AbortController().signal): LiteratureContext => ({
  signal,
  http,
  slots: createMemorySlots(),
  cache: createMemoryCache(),
  withheld: [],
  now: () => new Date('2026-11-29T12:00:00Z'),
});

describe('a request', () => {
  const request = (path: string, more: object = {}) => ({
    url: double.origin + path,
    signal: new AbortController().signal,
    timeoutMs: 150,
    maxBytes: 10,
    whenTooLarge: 'fail' as const,
    ...more,
  });

  test('without an answer in its time is a timeout', async () => {
    double.answer('/silent', { fault: 'silent' });
    await expect(http.api(request('/silent'))).rejects.toMatchObject({ kind: 'timeout' });
  });

  test('to a port where nobody listens is a network failure', async () => {
    await expect(http.api({ ...request('/'), url: 'http://127.0.0.1:1/' })).rejects.toMatchObject({
      kind: 'network',
    });
  });

  test('whose body is over 10 bytes fails or is cut at 10, as it was asked', async () => {
    double.answer('/long', { body: 'x'.repeat(100_000) });
    await expect(http.api(request('/long', { timeoutMs: 5000 }))).rejects.toMatchObject({
      kind: 'too_large',
    });
    const cut = await http.api(request('/long', { timeoutMs: 5000, whenTooLarge: 'cut' }));
    expect([cut.bytes.length, cut.isCut]).toEqual([10, true]);
  });

  test('to an operator’s source does not follow a redirect', async () => {
    double.answer('/away', { status: 302, headers: { location: `${double.origin}/long` } });
    const answer = await http.api(request('/away', { timeoutMs: 5000 }));
    expect([answer.status, answer.header('location')]).toEqual([302, `${double.origin}/long`]);
  });
});

test.each([
  ['2', 2000],
  ['0', 0],
  [' 1.5 ', 1500],
  ['Sun, 29 Nov 2026 12:00:30 GMT', 30_000],
  ['Sun, 29 Nov 2026 11:00:00 GMT', 0],
  ['2, 9', 2000],
  ['-1', null],
  ['5 min', null],
  ['2026-11-29', null],
  ['soon', null],
  ['', null],
  [null, null],
] as [string | null, number | null][])('Retry-After %j is %j ms at noon', (header, ms) => {
  expect(readRetryAfter(header, new Date('2026-11-29T12:00:00Z'))).toBe(ms);
});

describe('a tool call', () => {
  const tool = (ask: (context: LiteratureContext) => Promise<never>) =>
    literatureTool({
      name: 'search_test',
      description: 'x',
      schema: z.strictObject({}),
      readingVersion: 1,
      deadlineMs: 80,
      question: () => ({}),
      view: () => ({ offset: 0, maxChars: 100 }),
      ask: (_, given) => ask(given),
    });
  const untilAborted = ({ signal }: LiteratureContext) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

  test('that takes longer than it may is answered as a timeout', async () => {
    expect(await tool(untilAborted).run({}, context())).toMatchObject({
      outcome: 'failed',
      failureKind: 'timeout',
    });
  });

  test('that its caller ends throws the caller’s reason', async () => {
    const controller = new AbortController();
    const running = tool(untilAborted).run({}, context(controller.signal));
    controller.abort(new Error('dropped'));
    await expect(running).rejects.toThrow('dropped');
  });

  test('whose own database fails throws: that is no answer to a model', async () => {
    const failing = tool(async () => Promise.reject(new Error('connection terminated')));
    await expect(failing.run({}, context())).rejects.toThrow('connection terminated');
  });
});

describe('turns in one process', () => {
  const { signal } = new AbortController();
  const policy = { host: 'h', gapMs: 60_000, slackMs: 100, leaseMs: null };

  test('the first is now, the second a gap later, which is too far off for a caller in a hurry', async () => {
    const slots = createMemorySlots();
    await slots.take(policy, { signal, maxWaitMs: 0 });
    await expect(slots.take(policy, { signal, maxWaitMs: 1000 })).rejects.toThrow(HostBusy);
    await slots.take({ ...policy, host: 'other' }, { signal, maxWaitMs: 0 });
  });

  test('of two that want the one connection, the second comes when the first has released it', async () => {
    const slots = createMemorySlots();
    const single = { ...policy, gapMs: 0, leaseMs: 60_000 };
    const first = await slots.take(single, { signal, maxWaitMs: 0 });
    let hasSecond = false;
    const second = slots.take(single, { signal, maxWaitMs: 10_000 }).then((turn) => {
      hasSecond = true;
      return turn;
    });
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(hasSecond).toBe(false);
    await first.release();
    await (await second).release();
  });
});
