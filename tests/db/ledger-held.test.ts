import fc from 'fast-check';
import { sql } from 'kysely';
import { benchScope, candidateScope } from '../../core/ids';
import { type Database, openDatabase } from '../../db/database';
import { failCall, raiseBudget, settleCall } from '../../db/ledger';
import { admitCall, admitFirst } from '../../db/ledger-admission';
import { createTestDatabase, type TestDatabase } from '../stack/test-database';
import { answer, heldAndSum, intent, LIMITS } from './ledger-calls';
import { seedBench, smallPlan } from './seed-bench';

let database: TestDatabase;
let db: Database;
let other: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  [db, other] = [1, 2].map(() => openDatabase(database.workerUrl, { maxConnections: 25 })) as [
    Database,
    Database,
  ];
});
afterAll(async () => {
  await Promise.all([db.destroy(), other.destroy()]);
  await database.drop();
});

type Step =
  | { do: 'admit' | 'admitFirst'; key: number; label: 'alpha' | 'beta'; bound: number; lease: number }
  | { do: 'settle'; key: number; attempt: number; cost: number | null }
  | { do: 'fail'; key: number; attempt: number; endsAs: 'failed' | 'in_doubt'; cost: number | null }
  | { do: 'raise'; label: 'alpha' | 'beta'; cap: number };

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
  fc.record({ do: fc.constant('raise' as const), label, cap: fc.integer({ min: 1, max: 5 }) }),
);

async function take(benchId: string, s: Step, via = db): Promise<void> {
  switch (s.do) {
    case 'admit':
    case 'admitFirst': {
      const asked = intent(benchId, `${s.key}`, {
        boundUsd: s.bound,
        leaseMs: s.lease,
        scopeIds: [candidateScope(`${benchId}/${s.label}`), benchScope(benchId)],
      });
      await (s.do === 'admit'
        ? admitCall(via, asked, LIMITS)
        : admitFirst(via, asked, { tokensPerByte: null, minCalls: 3 }));
      return;
    }
    case 'settle':
      // An attempt that nobody was admitted for has no row to settle.
      await settleCall(via, `${benchId}/${s.key}`, s.attempt, answer(s.cost)).catch(() => {});
      return;
    case 'fail':
      await failCall(via, `${benchId}/${s.key}`, s.attempt, {
        kind: 'server_error',
        endsAs: s.endsAs,
        httpStatus: 500,
        requestId: null,
        reportedUsd: null,
        computedUsd: s.cost,
        latencyMs: 1,
      });
      return;
    case 'raise':
      await raiseBudget(via, candidateScope(`${benchId}/${s.label}`), s.cap);
  }
}

describe('what a scope holds', () => {
  test('equals the sum of its calls after every step of any history, and one answer at most is accepted a key', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const benchId = await seedBench(
          db,
          smallPlan({ budgets: { perCandidateUsd: 1, judgeUsd: 1, benchUsd: 2 } }),
        );
        for (const s of steps) {
          await take(benchId, s);
          for (const { held, sum } of await heldAndSum(db, benchId)) expect(held).toBe(sum);
        }
      }),
      { numRuns: 40, seed: 20261004 },
    );
  });

  test('equals the sum of its calls after the same steps taken side by side, by two workers', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
        const benchId = await seedBench(
          db,
          smallPlan({ budgets: { perCandidateUsd: 1, judgeUsd: 1, benchUsd: 2 } }),
        );
        await Promise.all(steps.map((s, i) => take(benchId, s, i % 2 === 0 ? db : other)));
        for (const { held, sum } of await heldAndSum(db, benchId)) expect(held).toBe(sum);
        const { rows } = await sql<{ n: number }>`
          SELECT count(*) AS n FROM bench_llm_calls WHERE bench_id = ${benchId} AND state = 'settled'
           GROUP BY key HAVING count(*) > 1`.execute(db);
        expect(rows).toEqual([]);
      }),
      { numRuns: 25, seed: 20261004 },
    );
  });
});
