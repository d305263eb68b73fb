import { sql } from 'kysely';
import { createMemoryCache } from '../../../activities/literature/memory-cache';
import {
  cacheKey,
  createPostgresCache,
  deleteExpiredAnswers,
  type LiteratureCache,
} from '../../../db/literature-cache';
import { testDatabaseOfFile } from '../../stack/test-database';

const db = testDatabaseOfFile().open('worker');

const HOUR_MS = 3_600_000;
let n = 0;
const freshQuestion = () => ({ tool: 'search_test', request: { query: `question ${n++}`, maxResults: 5 } });

describe.each([
  ['Postgres', () => createPostgresCache(db)],
  ['memory', () => createMemoryCache()],
] as [string, () => LiteratureCache][])('a cache in %s', (_, open) => {
  test('gives null for what was never asked, and back what was stored', async () => {
    const cache = open();
    const question = freshQuestion();
    expect(await cache.get(question)).toBeNull();
    const answer = { documents: [{ title: 'A', pages: null, list: [1, 'two'] }], total: 0 };
    expect(await cache.put(question, answer, HOUR_MS)).toEqual(answer);
    expect(await cache.get(question)).toEqual(answer);
  });

  test('an empty text is an answer', async () => {
    const cache = open();
    const question = freshQuestion();
    await cache.put(question, '', HOUR_MS);
    expect(await cache.get(question)).toBe('');
  });

  test('the first answer stands: whoever is later gets it back instead of its own', async () => {
    const cache = open();
    const question = freshQuestion();
    const given = await Promise.all(
      Array.from({ length: 10 }, (_, asker) => cache.put(question, { asker }, HOUR_MS)),
    );
    expect(new Set(given.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await cache.get(question)).toEqual(given[0]);
  });

  test('an expired answer is gone, and the next one takes its place', async () => {
    const cache = open();
    const question = freshQuestion();
    await cache.put(question, 'old', 0);
    expect(await cache.get(question)).toBeNull();
    expect(await cache.put(question, 'new', HOUR_MS)).toBe('new');
    expect(await cache.get(question)).toBe('new');
  });
});

test('the order of a request’s fields is no part of the question; the tool and every value are', () => {
  const key = cacheKey({ tool: 'a', request: { x: 1, y: { b: 2, a: [1, 2] } } });
  expect(cacheKey({ tool: 'a', request: { y: { a: [1, 2], b: 2 }, x: 1 } })).toBe(key);
  expect(cacheKey({ tool: 'b', request: { x: 1, y: { b: 2, a: [1, 2] } } })).not.toBe(key);
  expect(cacheKey({ tool: 'a', request: { x: 1, y: { b: 2, a: [2, 1] } } })).not.toBe(key);
});

test('3 hits are counted as 3, with the question and the time of receipt beside', async () => {
  const cache = createPostgresCache(db);
  const question = freshQuestion();
  await cache.put(question, 'x', HOUR_MS);
  for (let hit = 0; hit < 3; hit++) await cache.get(question);
  const row = await db
    .selectFrom('bench_literature_cache')
    .selectAll()
    .where('key', '=', cacheKey(question))
    .executeTakeFirstOrThrow();
  expect(row).toMatchObject({ tool: 'search_test', hits: 3, request: question.request });
  expect(row.expires_at.getTime() - row.received_at.getTime()).toBe(HOUR_MS);
});

test('NUL and lone surrogates, which jsonb refuses, are stored as U+FFFD and come back so to the first asker too', async () => {
  const stored = await createPostgresCache(db).put(freshQuestion(), { text: 'a\0b\uD800c' }, HOUR_MS);
  expect(stored).toEqual({ text: 'a\uFFFDb\uFFFDc' });
});

test('what has expired can be swept away', async () => {
  await createPostgresCache(db).put(freshQuestion(), 'x', 0);
  expect(await deleteExpiredAnswers(db)).toBeGreaterThanOrEqual(1);
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM bench_literature_cache WHERE expires_at <= clock_timestamp()`.execute(db);
  expect(rows).toEqual([{ n: 0 }]);
});
