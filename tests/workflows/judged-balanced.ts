import type { BenchInput } from '../../core/bench-input';
import type { BenchSummary } from '../../core/bench-summary';
import { findBench } from '../../db/benches';
import type { BenchWorker } from './bench-worker';
import { type JudgedRows, readJudgedRows } from './judged-rows';

/** A judge that names the first text whatever it reads. */
const INPUT: BenchInput = {
  goal: 'Find a drug for a disease that has none.',
  candidates: ['one=sim:alder@direct', 'two=sim:alder@direct', 'three=sim:alder@direct'],
  judge: 'sim:referee,answer=always-a',
  reviewer: 'none',
  orders: 'balanced',
  n: 2,
  matches: 4,
  probe: false,
};

/** Each match judged in one order only, and what can then be said of the judge. */
export function testBalanced(shared: () => BenchWorker): void {
  let worker: BenchWorker;
  let summary: BenchSummary;
  let rows: JudgedRows;
  beforeAll(async () => {
    worker = shared();
    summary = await worker.run(INPUT);
    rows = await readJudgedRows(worker.db, summary.benchId);
  });

  test('12 matches have one verdict each, 6 in either order, and two of a pair are shown first twice each', () => {
    expect(rows.verdicts).toHaveLength(12);
    expect(rows.verdicts.filter(({ order }) => order === 'ab')).toHaveLength(6);
    const shownFirst = rows.verdicts.map(({ matchId, order }) => {
      const match = rows.matches.find(({ id }) => id === matchId)!;
      return `${[match.candA, match.candB].sort().join(' ')}: ${order === 'ab' ? match.candA : match.candB}`;
    });
    // 3 pairs × 2 sides, 4 matches a pair.
    expect(new Set(shownFirst).size).toBe(6);
    for (const place of new Set(shownFirst)) {
      expect(shownFirst.filter((other) => other === place)).toHaveLength(2);
    }
  });

  test('a match is won, lost or tied: its score is that of its verdict, and there is no flip to tell of', () => {
    for (const match of rows.matches) {
      expect([match.state, match.agreement, match.scoreA]).toEqual([
        'played',
        null,
        match.oneOrder === 'ab' ? 1 : 0,
      ]);
    }
    expect(summary.judge).toMatchObject({ verdicts: 12, flips: 0, halfFlips: 0, flipRate: null });
    expect(summary.judging.orders).toBe('balanced');
  });

  test('a judge that always names the first wins nobody a rating: all have 1000, and 12 of 12 firsts are p = 2⁻¹¹', () => {
    expect(summary.candidates.map(({ rating }) => Math.round(rating! * 1e6) / 1e6)).toEqual([
      1000, 1000, 1000,
    ]);
    const [judge] = summary.judges;
    expect(judge?.oneOrder?.first).toMatchObject({ count: 12, of: 12 });
    expect(judge?.oneOrder?.pValue).toBeCloseTo(2 ** -11, 12);
    expect([judge?.matches, judge?.positionBias?.pValue, judge?.isUninformative]).toEqual([0, null, false]);
  });

  test('nobody reviewed, and the summary says so', async () => {
    expect(summary.judging.reviewer).toBeNull();
    expect((await findBench(worker.db, summary.benchId))?.plan.reviewer).toBeNull();
    const reviews = await worker.db
      .selectFrom('bench_reviews')
      .select('hypothesis_id')
      .where('bench_id', '=', summary.benchId)
      .execute();
    expect(reviews).toEqual([]);
  });
}
