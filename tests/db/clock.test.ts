import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setBenchState } from '../../db/benches';
import { testDatabaseOfFile } from '../stack/test-database';
import { seedBench } from './seed-bench';

const db = testDatabaseOfFile().open('worker', { maxConnections: 2 });

const REAL: (keyof typeof globalThis)[] = ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'];

test('a bench that ends on a worker whose clock is an hour behind ends after it began', async () => {
  const benchId = await seedBench(db);
  jest.useFakeTimers({
    now: Date.now() - 3_600_000,
    doNotFake: [
      ...REAL,
      'nextTick',
      'performance',
      'clearTimeout',
      'clearInterval',
      'clearImmediate',
    ] as never,
  });
  try {
    await setBenchState(db, benchId, 'running');
    await setBenchState(db, benchId, 'failed', { kind: 'Failed', detail: '' });
  } finally {
    jest.useRealTimers();
  }
  const run = await db
    .selectFrom('bench_runs')
    .select(['created_at', 'finished_at'])
    .where('id', '=', benchId)
    .executeTakeFirstOrThrow();
  expect(run.finished_at?.getTime()).toBeGreaterThanOrEqual(run.created_at.getTime());
});

test('every moment in a row is the database’s: no query asks for the time of the machine that it runs on', () => {
  const folder = join(__dirname, '..', '..', 'db');
  const asking = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .filter((name) => /new Date\(\)|Date\.now\(/.test(readFileSync(join(folder, name), 'utf8')));
  expect(asking).toEqual([]);
});
