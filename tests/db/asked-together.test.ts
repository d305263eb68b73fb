import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { askedTogether } from '../../db/asked-together';
import type { Database } from '../../db/database';

/** Nothing here asks a database: it is the gathering that is looked at. */
const DB = {} as Database;

/** A question whose answers are let go by the test. */
function heldQuestions() {
  const asked: { items: readonly number[]; end: () => void }[] = [];
  const ask = askedTogether(
    (item: number) => (item < 0 ? null : item < 1_000 ? 'small' : 'large'),
    (_, items) =>
      new Promise<number[]>((resolve) =>
        asked.push({ items, end: () => resolve(items.map((item) => 2 * item)) }),
      ),
  );
  return { ask: (item: number) => ask(DB, item), asked };
}

/** Until what has been asked so far has become questions. */
const settle = () => sleep(5);

test('what is asked at once goes into one question, and what comes while that is out into the next', async () => {
  const { ask, asked } = heldQuestions();
  const first = [ask(1), ask(2)];
  await settle();
  const later = [ask(3), ask(4), ask(5)];
  await settle();
  expect(asked.map(({ items }) => items)).toEqual([[1, 2]]);
  asked[0]?.end();
  await settle();
  expect(asked.map(({ items }) => items)).toEqual([
    [1, 2],
    [3, 4, 5],
  ]);
  asked[1]?.end();
  expect(await Promise.all([...first, ...later])).toEqual([2, 4, 6, 8, 10]);
});

test('groups do not wait for each other, and what has no group is asked alone and at once', async () => {
  const { ask, asked } = heldQuestions();
  const all = [ask(1), ask(1_000), ask(-1), ask(-2)];
  await settle();
  expect(asked.map(({ items }) => items)).toEqual([[-1], [-2], [1], [1_000]]);
  for (const { end } of asked) end();
  expect(await Promise.all(all)).toEqual([2, 2_000, -2, -4]);
});

test('of 250 at once, no question holds more than 100', async () => {
  const sizes: number[] = [];
  const ask = askedTogether<number, number>(
    () => 'all',
    async (_, items) => {
      sizes.push(items.length);
      return [...items];
    },
  );
  const items = Array.from({ length: 250 }, (_, i) => i);
  expect(await Promise.all(items.map((item) => ask(DB, item)))).toEqual(items);
  expect(sizes).toEqual([100, 100, 50]);
});

test('a question that hangs keeps the next waiting for a second, not for good', async () => {
  const { ask, asked } = heldQuestions();
  const hanging = ask(1);
  await settle();
  const next = ask(2);
  while (asked.length < 2) await sleep(20);
  asked[1]?.end();
  expect(await next).toBe(4);
  asked[0]?.end();
  expect(await hanging).toBe(2);
});

test('an Error among the answers is thrown to the one who asked for that', async () => {
  const ask = askedTogether<number, number>(
    () => 'all',
    async (_, items) => items.map((item) => (item === 2 ? new Error('no such thing') : item)),
  );
  const ends = await Promise.allSettled([ask(DB, 1), ask(DB, 2), ask(DB, 3)]);
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

/** As pg has them: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const failure = (code: string) => Object.assign(new Error(code), { code });

test.each(['22P05', '23505', '40P01', '54000'])(
  'where data are refused, or rows stand in each other’s way (%s), each is asked alone, and only its own item fails',
  async (code) => {
    const questions: (readonly number[])[] = [];
    const ask = askedTogether<number, number>(
      () => 'all',
      async (_, items) => {
        questions.push(items);
        if (items.includes(13)) throw failure(code);
        return [...items];
      },
    );
    const ends = await Promise.allSettled([12, 13, 14].map((item) => ask(DB, item)));
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(questions).toEqual([[12, 13, 14], [12], [13], [14]]);
  },
);

test.each([new TypeError('no such property'), new RangeError('Invalid string length')])(
  'what we cannot make anything of (%s) fails alone, too',
  async (error) => {
    const ask = askedTogether<number, number>(
      () => 'all',
      async (_, items) => {
        if (items.includes(13)) throw error;
        return [...items];
      },
    );
    const ends = await Promise.allSettled([12, 13, 14].map((item) => ask(DB, item)));
    expect(ends.map((end) => (end.status === 'fulfilled' ? end.value : end.reason))).toEqual([12, error, 14]);
  },
);

test.each(['57P01', '53300', 'ECONNRESET'])(
  'an outage (%s) is told to all who asked, and not asked again for each',
  async (code) => {
    let questions = 0;
    const ask = askedTogether<number, number>(
      () => 'all',
      async () => {
        questions += 1;
        throw failure(code);
      },
    );
    const ends = await Promise.allSettled([1, 2, 3].map((item) => ask(DB, item)));
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(questions).toBe(1);
    await expect(ask(DB, 4)).rejects.toThrow(code);
    expect(questions).toBe(2);
  },
);

test('whenever items come and whatever fails, each gets its own answer, once', async () => {
  const item = fc.record({
    id: fc.nat(1_000_000),
    afterMs: fc.nat(6),
    group: fc.nat(2),
    isBad: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(item, { maxLength: 40 }), async (items) => {
      const ask = askedTogether<(typeof items)[number], number>(
        ({ group }) => (group === 0 ? null : String(group)),
        async (_, asked) => {
          await sleep(1);
          if (asked.some(({ isBad }) => isBad)) throw failure('22000');
          return asked.map(({ id }) => id);
        },
      );
      const ends = await Promise.allSettled(
        items.map(async (one) => {
          await sleep(one.afterMs);
          return ask(DB, one);
        }),
      );
      expect(ends.map((end) => (end.status === 'fulfilled' ? end.value : null))).toEqual(
        items.map(({ id, isBad }) => (isBad ? null : id)),
      );
    }),
    { numRuns: 25, seed: 20261004 },
  );
});
