import fc from 'fast-check';
import { sql } from 'kysely';
import { benchScope, candidateScope } from '../../core/ids';
import type { Database } from '../../db/database';
import { failCall, raiseBudget, renewLease, settleCall } from '../../db/ledger';
import { admitCall, admitFirst } from '../../db/ledger-admission';
import type { SentCall } from '../../db/ledger-records';
import { testDatabaseOfFile } from '../stack/test-database';
import { answer, heldAndSum, intent, LIMITS, loseCall } from './ledger-calls';
import { seedBench, smallPlan } from './seed-bench';

const { open } = testDatabaseOfFile();
const db = open('worker', { maxConnections: 25 });
const other = open('worker', { maxConnections: 25 });

type Step = Admit | End | { do: 'raise'; label: 'alpha' | 'beta'; cap: number };

type Admit = {
  do: 'admit' | 'admitFirst';
  key: number;
  label: 'alpha' | 'beta';
  bound: number;
  lease: number;
};

/** Of the `attempt`th request of the key that was admitted. */
type End =
  | { do: 'settle'; key: number; attempt: number; cost: number | null }
  | { do: 'fail'; key: number; attempt: number; endsAs: 'failed' | 'in_doubt'; cost: number | null }
  | { do: 'renew' | 'lose'; key: number; attempt: number };

const cents = fc.integer({ min: 0, max: 60 }).map((c) => c / 100);
const cost = fc.option(cents, { nil: null });
const key = fc.integer({ min: 1, max: 4 });
const attempt = fc.integer({ min: 1, max: 3 });
const label = fc.constantFrom('alpha' as const, 'beta' as const);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constantFrom('admit' as const, 'admitFirst' as const),
    key,
    label,
    bound: cents,
    lease: fc.constantFrom(-1, 60_000),
  }),
  fc.record({ do: fc.constant('settle' as const), key, attempt, cost }),
  fc.record({
    do: fc.constant('fail' as const),
    key,
    attempt,
    endsAs: fc.constantFrom('failed' as const, 'in_doubt' as const),
    cost,
  }),
  fc.record({ do: fc.constantFrom('renew' as const, 'lose' as const), key, attempt }),
  fc.record({ do: fc.constant('raise' as const), label, cap: fc.integer({ min: 1, max: 5 }) }),
);

/** A bench, and the requests that were sent for it, as whoever sent them knows them. */
interface History {
  benchId: string;
  sent: SentCall[];
  /** What has come of a request is one thing. */
  fates: Map<SentCall, 'settle' | 'fail'>;
  /** What has come of them was booked, and not lost since. */
  ended: Set<SentCall>;
}

async function begin(): Promise<History> {
  const budgets = { perCandidateUsd: 1, judgeUsd: 1, benchUsd: 2 };
  return {
    benchId: await seedBench(db, smallPlan({ budgets })),
    sent: [],
    fates: new Map(),
    ended: new Set(),
  };
}

async function take(history: History, s: Step, via = db): Promise<void> {
  if (s.do === 'raise') {
    await raiseBudget(via, candidateScope(`${history.benchId}/${s.label}`), s.cap);
  } else if ('bound' in s) {
    await admit(history, s, via);
  } else {
    const ofKey = history.sent.filter(({ intent: { key } }) => key === `${history.benchId}/${s.key}`);
    const call = ofKey[s.attempt - 1];
    if (call) await end(history, s, call, via);
  }
}

async function admit({ benchId, sent }: History, s: Admit, via: Database): Promise<void> {
  const asked = intent(benchId, `${s.key}`, {
    boundUsd: s.bound,
    leaseMs: s.lease,
    scopeIds: [candidateScope(`${benchId}/${s.label}`), benchScope(benchId)],
  });
  if (s.do === 'admit') {
    const admission = await admitCall(via, asked, LIMITS);
    if (admission.kind === 'admitted') sent.push(admission);
  } else {
    const first = await admitFirst(via, asked, { tokensPerByte: null, minCalls: 3 });
    if (first.sent) sent.push(first.sent);
  }
}

async function end({ fates, ended }: History, s: End, call: SentCall, via: Database): Promise<void> {
  if (s.do === 'settle' || s.do === 'fail') {
    if (s.do !== (fates.get(call) ?? s.do)) return;
    fates.set(call, s.do);
  }
  switch (s.do) {
    case 'renew':
      return renewLease(via, call, -1);
    case 'settle':
      await settleCall(via, call, answer(s.cost));
      ended.add(call);
      return;
    case 'fail':
      await failCall(via, call, {
        ...{ kind: 'server_error', endsAs: s.endsAs, httpStatus: 500, requestId: null },
        ...{ reportedUsd: null, computedUsd: s.cost, latencyMs: 1 },
      });
      ended.add(call);
      return;
    case 'lose':
      ended.delete(call);
      await loseCall(via, call);
  }
}

/** Rows of each request. */
async function countRows(benchId: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ key: string; sent_at: string; n: number }>`
    SELECT key, to_json(sent_at) #>> '{}' AS sent_at, count(*) AS n FROM bench_llm_calls
     WHERE bench_id = ${benchId} GROUP BY key, sent_at`.execute(db);
  return new Map(rows.map((row) => [`${row.key} ${row.sent_at}`, row.n]));
}

describe('what a scope holds', () => {
  test('equals the sum of its calls after every step of any history, and what ended stands once, whatever was lost', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const history = await begin();
        for (const s of steps) {
          await take(history, s);
          for (const { held, sum } of await heldAndSum(db, history.benchId)) expect(held).toBe(sum);
        }
        const counts = await countRows(history.benchId);
        for (const call of history.ended) expect(counts.get(`${call.intent.key} ${call.sentAt}`)).toBe(1);
        for (const n of counts.values()) expect(n).toBe(1);
      }),
      { numRuns: 60, seed: 20261004 },
    );
  });

  test('equals the sum of its calls after the same steps taken side by side, by two workers; one answer is accepted a key', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
        const history = await begin();
        const { benchId } = history;
        const admissions = steps.filter((s) => s.do.startsWith('admit'));
        for (const s of admissions.slice(0, 8)) await take(history, s);
        await Promise.all(steps.map((s, i) => take(history, s, i % 2 === 0 ? db : other)));
        for (const { held, sum } of await heldAndSum(db, benchId)) expect(held).toBe(sum);
        for (const n of (await countRows(benchId)).values()) expect(n).toBe(1);
        const { rows } = await sql<{ n: number }>`
          SELECT count(*) AS n FROM bench_llm_calls WHERE bench_id = ${benchId} AND state = 'settled'
           GROUP BY key HAVING count(*) > 1`.execute(db);
        expect(rows).toEqual([]);
      }),
      { numRuns: 25, seed: 20261004 },
    );
  });
});
