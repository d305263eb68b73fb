import { benchScope } from '../../core/ids';
import { admitCall } from '../../db/ledger-admission';
import { testDatabaseOfFile } from '../stack/test-database';
import { answer, heldAndSum, intent, LIMITS, settle } from './ledger-calls';
import { seedBench, smallPlan } from './seed-bench';

const db = testDatabaseOfFile().open('worker');

describe('a bill above its bound', () => {
  const CAPPED = smallPlan({ budgets: { perCandidateUsd: 3, judgeUsd: 5, benchUsd: 5 } });

  test('of a call closes the capped scopes it is charged to; a raise opens them', async () => {
    const benchId = await seedBench(db, CAPPED);
    await admitCall(db, intent(benchId, 'alpha/1/turn/1'), LIMITS);
    await settle(db, `${benchId}/alpha/1/turn/1`, 1, answer(0.3));
    const refused = await admitCall(db, intent(benchId, 'alpha/2/turn/1'), LIMITS);
    expect(refused).toMatchObject({ kind: 'over_budget', closedBy: `${benchId}/alpha/1/turn/1` });
  });

  test('of a probe is booked and held, and closes nothing: the bench goes on under its cap', async () => {
    const benchId = await seedBench(db, CAPPED);
    const key = 'probe/sim:alpha';
    await admitCall(
      db,
      intent(benchId, key, { kind: 'probe', scopeIds: [benchScope(benchId)], boundUsd: 0.01 }),
      LIMITS,
    );
    await settle(db, `${benchId}/${key}`, 1, answer(0.05));
    expect((await heldAndSum(db, benchId)).find(({ id }) => id === benchId)).toEqual({
      id: benchId,
      held: 0.05,
      sum: 0.05,
    });
    expect(await admitCall(db, intent(benchId, 'alpha/1/turn/1'), LIMITS)).toMatchObject({
      kind: 'admitted',
      attempt: 1,
    });
  });

  test('of a probe does not open what another call’s overrun has closed', async () => {
    const benchId = await seedBench(db, CAPPED);
    const probe = { scopeIds: [benchScope(benchId)], boundUsd: 0.01 };
    await admitCall(db, intent(benchId, 'probe/sim:alpha', { kind: 'probe', ...probe }), LIMITS);
    await admitCall(db, intent(benchId, 'alpha/1/turn/1'), LIMITS);
    await settle(db, `${benchId}/alpha/1/turn/1`, 1, answer(0.3));
    await settle(db, `${benchId}/probe/sim:alpha`, 1, answer(0.05));
    expect(await admitCall(db, intent(benchId, 'alpha/2/turn/1'), LIMITS)).toMatchObject({
      kind: 'over_budget',
      closedBy: `${benchId}/alpha/1/turn/1`,
    });
  });

  test('of a candidate that is called probe closes its scopes as any other', async () => {
    const benchId = await seedBench(db, CAPPED);
    const key = 'probe/1/turn/1';
    await admitCall(db, intent(benchId, key, { scopeIds: [benchScope(benchId)] }), LIMITS);
    await settle(db, `${benchId}/${key}`, 1, answer(0.3));
    expect(await admitCall(db, intent(benchId, 'alpha/2/turn/1'), LIMITS)).toMatchObject({
      kind: 'over_budget',
    });
  });
});
