import { sql } from 'kysely';
import { candidateScope } from '../../core/ids';
import { failCall, settleCall } from '../../db/ledger';
import { CallUnbookable } from '../../db/ledger-rewrite';
import { testDatabaseOfFile } from '../stack/test-database';
import { answer, BILLED, heldAndSum, loseCall, send } from './ledger-calls';
import { seedBench } from './seed-bench';

const db = testDatabaseOfFile().open('worker');

describe('a request whose row is lost with what it is charged to', () => {
  test('fails by name, and nothing is booked to half of its scopes', async () => {
    const benchId = await seedBench(db);
    const call = await send(db, benchId, 'x');
    await loseCall(db, call);
    await db
      .deleteFrom('bench_budgets')
      .where('id', '=', candidateScope(`${benchId}/alpha`))
      .execute();
    for (const end of [settleCall(db, call, answer(0.1)), failCall(db, call, BILLED)]) {
      const error = await end.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(CallUnbookable);
      expect(error).toMatchObject({ missing: `budget scope ${benchId}/alpha` });
    }
    for (const { held, sum } of await heldAndSum(db, benchId))
      expect({ held, sum }).toEqual({ held: 0, sum: 0 });
  });

  test('fails by the name of the bench where that is gone', async () => {
    const benchId = await seedBench(db);
    const call = await send(db, benchId, 'x');
    await loseCall(db, call);
    for (const table of ['bench_budgets', 'bench_hypotheses', 'bench_candidates'] as const) {
      await db.deleteFrom(table).where('bench_id', '=', benchId).execute();
    }
    await sql`DELETE FROM bench_runs WHERE id = ${benchId}`.execute(db);
    await expect(settleCall(db, call, answer(0.1))).rejects.toMatchObject({ missing: `bench ${benchId}` });
    await expect(failCall(db, call, BILLED)).rejects.toBeInstanceOf(CallUnbookable);
  });
});
