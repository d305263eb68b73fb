import type { BenchSummary } from '../../core/bench-summary';
import { judgeLines } from '../../scripts/bench/judge-lines';
import type { BenchWorker } from './bench-worker';

const GOAL = 'Find a drug for a disease that has none.';

/** What is left of a judge that goes by places alone. */
export function testPlaceJudge(shared: () => BenchWorker): void {
  describe('n 1 from three models, before a judge that always names the first', () => {
    let summary: BenchSummary;
    beforeAll(async () => {
      summary = await shared().run({
        goal: GOAL,
        candidates: ['a=sim:alder@direct', 'b=sim:elm@direct', 'c=sim:hazel@direct'],
        judge: 'sim:referee,answer=always-a',
        n: 1,
        matches: 2,
        probe: false,
      });
    });

    test('rates all three alike, 1000 by Bradley–Terry and 1200 by Elo', () => {
      expect(summary.candidates.map(({ rating, meanElo }) => [rating, meanElo])).toEqual(
        Array(3).fill([1000, 1200]),
      );
    });

    test('is named an uninformative judge, with 6 of 6 flips to the first, p = 2⁻⁵, and its own reviewer', () => {
      const text = judgeLines(summary).join('\n');
      expect(text).toContain('flip rate 100 % (6 of 6 matches; half-flips 0)');
      // Two-sided: 2 × 2⁻⁶ = 0.03125.
      expect(text).toContain('of its flips 6 to the first, 0 to the second (exact binomial p = .031)');
      expect(text).toContain('sim:referee,answer=always-a is an uninformative judge');
      expect(text).toContain('The judge sim:referee,answer=always-a reads reviews that it wrote itself.');
    });
  });
}
