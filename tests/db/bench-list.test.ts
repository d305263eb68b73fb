import { readBenchList } from '../../db/bench-list';
import { testDatabaseOfFile } from '../stack/test-database';
import { seedBench, smallPlan } from './seed-bench';

const db = testDatabaseOfFile().open('owner', { maxConnections: 2 });

type Figures = Record<string, { rating: number | null; meanElo: number | null }>;

/** The labels that the list calls first, of a bench with these figures. */
async function firstOf(figures: Figures): Promise<string[]> {
  const [alpha] = smallPlan().candidates;
  const candidates = Object.keys(figures).map((label) => ({ ...alpha!, label }));
  const benchId = await seedBench(db, smallPlan({ candidates }));
  for (const [label, { rating, meanElo }] of Object.entries(figures)) {
    await db
      .updateTable('bench_candidates')
      .set({ bt_elo: rating, mean_elo: meanElo })
      .where('bench_id', '=', benchId)
      .where('label', '=', label)
      .execute();
  }
  return (await readBenchList(db, 1)).flatMap(({ leaders }) => leaders);
}

describe('the list calls first', () => {
  it.each<[string, Figures, string[]]>([
    [
      'who has the highest rating, as the leaderboard does, and not the highest mean Elo',
      {
        a: { rating: 1183, meanElo: 1255 },
        b: { rating: 1159, meanElo: 1256 },
        c: { rating: null, meanElo: 1300 },
      },
      ['a'],
    ],
    [
      'who has the highest mean Elo, where nobody has a rating',
      { a: { rating: null, meanElo: 1190 }, b: { rating: null, meanElo: 1210 } },
      ['b'],
    ],
    [
      'all that are level, in the order of the plan',
      {
        b: { rating: 1010, meanElo: 1200 },
        c: { rating: 980, meanElo: 1200 },
        a: { rating: 1010, meanElo: 1199 },
      },
      ['b', 'a'],
    ],
    ['nobody, where nothing was played', { a: { rating: null, meanElo: null } }, []],
  ])('%s', async (_, figures, first) => {
    expect(await firstOf(figures)).toEqual(first);
  });
});
