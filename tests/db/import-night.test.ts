import { openDatabase } from '../../db/database';
import { OpponentsMissing } from '../../db/foreign-texts';
import { importBench } from '../../db/import-bench';
import { madeUp } from '../core/report/made-up';
import { createTestDatabase } from '../stack/test-database';

test('a night whose opponents are not there is refused by their bench’s name, and none of its rows stay', async () => {
  const database = await createTestDatabase();
  const db = openDatabase(database.ownerUrl, { maxConnections: 2 });
  try {
    const { record } = await madeUp();
    const pinned = 'bnc_01J0000000000000000000000B';
    const matches = record.matches.map((match) => ({
      ...match,
      candB: `${pinned}/steady`,
      hypB: `${pinned}/steady/1`,
    }));
    const importing = importBench(db, { ...record, matches }, []);
    await expect(importing).rejects.toThrow(OpponentsMissing);
    await expect(importing).rejects.toThrow(`against texts of ${pinned}, not in this database`);
    expect(await db.selectFrom('bench_runs').select('id').execute()).toEqual([]);
  } finally {
    await db.destroy();
    await database.drop();
  }
}, 60_000);
