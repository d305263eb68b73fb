import { importBench } from '../../db/import-bench';
import { readBenchProgress } from '../../db/progress';
import { expectedVerdicts } from '../../scripts/bench/expected-verdicts';
import { madeUp } from '../core/report/made-up';
import { testDatabaseOfFile } from '../stack/test-database';

const db = testDatabaseOfFile().open('owner', { maxConnections: 2 });

test('of 24 matches 3 are lost to a drop, one after its 2 verdicts came: 44 of 44 verdicts, 21 of 21 matches', async () => {
  const { record } = await madeUp();
  const matches = record.matches.map((match, i) => {
    if (i >= 3) return match;
    const unplayed = { state: 'unplayed', reason: 'dropped', winner: null, scoreA: null } as const;
    return { ...match, ...unplayed, agreement: null, verdicts: i === 0 ? match.verdicts : [] };
  });
  await importBench(db, { ...record, matches }, []);
  const progress = (await readBenchProgress(db, record.run.benchId))!;
  expect(progress.judge).toMatchObject({ verdicts: 44, verdictsOfDropped: 2 });
  expect(progress.matches).toEqual({ scheduled: 24, played: 21, unplayed: { dropped: 3 } });
  expect(expectedVerdicts(progress)).toEqual({ matches: 21, verdicts: 44 });
});
