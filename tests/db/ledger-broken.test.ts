import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../../db/database';
import { isFaultOfOurs } from '../../db/fault-of-ours';
import { failCall, renewLease, settleCall } from '../../db/ledger';
import { admitCall, admitFirst } from '../../db/ledger-admission';
import type { SentCall } from '../../db/ledger-records';
import { testDatabaseOfFile } from '../stack/test-database';
import { answer, heldAndSum, intent, LIMITS, loseCall } from './ledger-calls';
import { seedBench, smallPlan } from './seed-bench';

const { open } = testDatabaseOfFile();
const [one, two] = [
  open('worker', { applicationName: 'victim' }),
  open('worker', { applicationName: 'victim' }),
];
const calm = open('worker');

const REQUESTS = 80;
const BREAKS = 12;

/** Every one again until it is done, as whoever holds an answer does; a fault of ours is none of a connection's. */
async function untilDone<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (isFaultOfOurs(error)) throw error;
      await sleep(10);
    }
  }
}

test('80 requests of two workers whose connections all break 12 times, every fifth row lost: each ends once, the sums hold', async () => {
  const benchId = await seedBench(
    calm,
    smallPlan({ budgets: { perCandidateUsd: 99, judgeUsd: 99, benchUsd: null } }),
  );
  const [sent, accepted] = [[] as SentCall[], new Map<string, Set<number>>()];
  const breaking = (async () => {
    for (let i = 0; i < BREAKS; i++) {
      await sleep(20);
      await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                 WHERE datname = current_database() AND application_name = 'victim'`.execute(calm);
    }
  })();
  await Promise.all(Array.from({ length: REQUESTS }, (_, i) => play(i, i % 2 === 0 ? one : two)));
  await breaking;

  for (const { held, sum } of await heldAndSum(calm, benchId)) expect(held).toBe(sum);
  for (const { intent: asked, sentAt } of sent) {
    const { rows } = await sql<{ state: string }>`
      SELECT state FROM bench_llm_calls WHERE key = ${asked.key} AND sent_at = ${sentAt}::timestamptz`.execute(
      calm,
    );
    expect(rows).toHaveLength(1);
    expect(['settled', 'superseded', 'failed']).toContain(rows[0]?.state);
  }
  for (const attempts of accepted.values()) expect(attempts.size).toBe(1);
  const { rows } = await sql<{ n: number }>`
    SELECT deadlocks AS n FROM pg_stat_database WHERE datname = current_database()`.execute(calm);
  expect(rows).toEqual([{ n: 0 }]);

  /** Two ask for each key; an admission whose connection breaks may have come about without them. */
  async function play(i: number, via: Database): Promise<void> {
    const asked = intent(benchId, `${i % (REQUESTS / 2)}`, { boundUsd: 0.01, leaseMs: i % 7 ? 60_000 : -1 });
    const call = await untilDone(async () => {
      if (i % 3) return (await admitFirst(via, asked, { tokensPerByte: null, minCalls: 3 })).sent;
      const admission = await admitCall(via, asked, LIMITS);
      return admission.kind === 'admitted' ? admission : null;
    });
    if (!call) return;
    sent.push(call);
    if (i % 5 === 0) await loseCall(calm, call);
    if (i % 4 === 0) await untilDone(() => renewLease(via, call, 60_000));
    if (i % 6 === 0) {
      const failure = { kind: 'server_error', endsAs: 'failed', httpStatus: 500, requestId: null } as const;
      const cost = { reportedUsd: 0.002, computedUsd: null, latencyMs: 1 };
      return untilDone(() => failCall(via, call, { ...failure, ...cost }));
    }
    const booked = await untilDone(() => settleCall(via, call, answer(0.004)));
    accepted.set(asked.key, (accepted.get(asked.key) ?? new Set()).add(booked.accepted));
  }
});
