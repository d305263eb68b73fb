import fc from 'fast-check';
import { sql } from 'kysely';
import { readPace, readWorkTimes } from '../../db/work-time';
import { testDatabaseOfFile } from '../stack/test-database';
import { seedBench } from './seed-bench';

const db = testDatabaseOfFile().open('owner', { maxConnections: 2 });

/** A call in seconds before its bench was written; `ended` null: its answer has not come. */
interface Call {
  sent: number;
  ended: number | null;
  leased: number;
  kind?: 'generation' | 'review' | 'judge' | 'debate' | 'probe' | 'rubric';
  state?: 'sent' | 'settled' | 'failed' | 'in_doubt';
}

async function benchOf(calls: readonly Call[]): Promise<string> {
  const benchId = await seedBench(db);
  // Read once: a machine that is slow between two rows moves them no further apart.
  const { rows } = await sql<{ now: Date }>`SELECT clock_timestamp() AS now`.execute(db);
  const now = sql`${rows[0]!.now}::timestamptz`;
  for (const [i, { sent, ended, leased, kind = 'generation', state }] of calls.entries()) {
    await sql`
      INSERT INTO bench_llm_calls (key, attempt, bench_id, epoch, kind, provider, model, scope_ids, state, request_sha256,
                                   request, request_bytes, bound_usd, sent_at, ended_at, lease_until)
      SELECT ${`${benchId}/${i}`}, 1, ${benchId}, 1, ${kind}, 'sim', 'alpha', '{}',
             ${state ?? (ended === null ? 'sent' : 'settled')}, '', '{}', 2, 0,
             ${now} - ${sent} * interval '1 s', ${now} - ${ended}::float8 * interval '1 s',
             ${now} - ${leased} * interval '1 s'`.execute(db);
  }
  return benchId;
}

const HOUR = 3600;

describe('how long a bench has been at work', () => {
  test('before its first call 0 ms', async () => {
    expect(await readWorkTimes(db, await benchOf([]))).toEqual({ workMs: 0, writingMs: 0 });
  });

  test('30 s of calls, an hour in which none was out, and 5 s of calls are 35 s', async () => {
    const calls: Call[] = [
      { sent: HOUR + 60, ended: HOUR + 50, leased: HOUR },
      { sent: HOUR + 55, ended: HOUR + 40, leased: HOUR }, // beside the first: 20 s together
      { sent: HOUR + 35, ended: HOUR + 30, leased: HOUR, kind: 'review' }, // 5 s later: the bench was at work between
      { sent: 20, ended: 15, leased: 0 },
      { sent: 2 * HOUR, ended: HOUR, leased: HOUR, kind: 'probe' },
    ];
    const { writingMs, workMs } = await readWorkTimes(db, await benchOf(calls));
    expect(writingMs / 1000).toBeCloseTo(35, 1);
    // The check of the models is work of the bench too: an hour, in which the first 30 s lie.
    expect(workMs / 1000).toBeCloseTo(HOUR + 5, 1);
  });

  test('of a bench that has judged too it is all of its calls but the scores made after the fact: 10 + 20 s', async () => {
    const calls: Call[] = [
      { sent: HOUR, ended: HOUR - 10, leased: HOUR - 10 },
      { sent: 1000, ended: 980, leased: 980, kind: 'judge' },
      { sent: 500, ended: 400, leased: 400, kind: 'rubric' },
    ];
    const { writingMs, workMs } = await readWorkTimes(db, await benchOf(calls));
    expect([writingMs, workMs].map((ms) => Math.round(ms / 1000))).toEqual([10, 30]);
  });

  test('a call whose worker died counts to the end of its lease: 60 s, not the hour until a resume found it', async () => {
    const found: Call = { sent: HOUR, ended: 0, leased: HOUR - 60, state: 'in_doubt' };
    const unfound: Call = { ...found, ended: null, state: 'sent' };
    for (const call of [found, unfound]) {
      expect((await readWorkTimes(db, await benchOf([call]))).writingMs / 1000).toBeCloseTo(60, 1);
    }
  });

  test('it equals a count of the seconds in which a call is out, or has been for 10 s, on random calls', async () => {
    const call = fc
      // Multiples of 4 s: no gap is 10 s to the millisecond.
      .record({ sent: fc.integer({ min: 15, max: 40 }), length: fc.integer({ min: 1, max: 5 }) })
      .map(({ sent, length }) => ({ sent: 4 * sent, length: 4 * length }))
      .map(({ sent, length }): Call => ({ sent, ended: sent - length, leased: sent - length }));
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 8 }), async (calls) => {
        const { workMs, writingMs } = await readWorkTimes(db, await benchOf(calls));
        expect(writingMs / 1000).toBeCloseTo(countSeconds(calls), 0);
        expect(workMs).toBeCloseTo(writingMs, 6);
      }),
      { numRuns: 25, seed: 20261004 },
    );
  });
});

/** Second by second: at work when a call is out, or when gaps to both sides add up to 10 s at most. */
function countSeconds(calls: readonly Call[]): number {
  const isOut = (second: number) => calls.some(({ sent, ended }) => sent > second && (ended ?? 0) <= second);
  let total = 0;
  let gap = Number.POSITIVE_INFINITY;
  for (let second = 200; second >= 0; second -= 1) {
    if (!isOut(second)) gap += 1;
    else {
      total += 1 + (gap <= 10 ? gap : 0);
      gap = 0;
    }
  }
  return total;
}

test('the pace leaves a standstill out: 3 verdicts in 12 s of work, whatever lies between them', async () => {
  const judge = 'judge' as const;
  const calls: Call[] = [
    { sent: 100, ended: 96, leased: 90, kind: judge },
    { sent: 20, ended: 16, leased: 10, kind: judge },
    { sent: 16, ended: 12, leased: 10, kind: judge },
    { sent: HOUR, ended: HOUR - 5, leased: HOUR - 5, kind: judge }, // too long ago
    { sent: HOUR, ended: null, leased: HOUR - 60, kind: judge }, // of a worker that died
  ];
  const { verdicts, overMs } = await readPace(db, await benchOf(calls));
  expect(verdicts).toBe(3);
  expect(overMs / 1000).toBeCloseTo(12, 1);
});
