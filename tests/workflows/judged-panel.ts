import type { BenchInput } from '../../core/bench-input';
import type { BenchSummary } from '../../core/bench-summary';
import { checkFigures } from '../../core/report/check-figures';
import { readRecordedBench } from '../../db/export-reads';
import type { BenchWorker } from './bench-worker';
import { type JudgedRows, readJudgedRows } from './judged-rows';

const FAIR = 'sim:fair-referee';
const FIXED = 'sim:referee,answer=always-a';
const FAILING = 'sim:coin,fail=refused:0.3';
const INPUT: BenchInput = {
  goal: 'Find a drug for a disease that has none.',
  candidates: ['strong=sim:alder,skill=9@direct', 'weak=sim:hazel,skill=-9@direct'],
  judge: [FAIR, FIXED, FAILING],
  n: 2,
  matches: 8,
  probe: false,
};

/** A fair judge, one that names places, and one that sometimes says nothing. */
export function testPanel(shared: () => BenchWorker): void {
  let worker: BenchWorker;
  let summary: BenchSummary;
  let rows: JudgedRows;
  beforeAll(async () => {
    worker = shared();
    summary = await worker.run(INPUT);
    rows = await readJudgedRows(worker.db, summary.benchId);
  });

  test('every judge judges every match in both orders: 48 verdicts, 6 keys a match', () => {
    expect(rows.verdicts).toHaveLength(48);
    for (const { id } of rows.matches) {
      const keys = rows.verdicts.filter(({ matchId }) => matchId === id).map(({ callKey }) => callKey);
      expect(keys.sort()).toEqual(
        [FAIR, FIXED, FAILING].flatMap((judge) => [`${id}/ab/${judge}/1`, `${id}/ba/${judge}/1`]).sort(),
      );
    }
  });

  test('a match is unplayed where one verdict is missing; else its score is the mean of the six', () => {
    const played = rows.matches.filter(({ state }) => state === 'played');
    expect(played.length).toBeGreaterThan(0);
    expect(played.length).toBeLessThan(8);
    for (const match of rows.matches) {
      const own = rows.verdicts.filter(({ matchId }) => matchId === match.id);
      const missing = own.filter(({ state }) => state === 'invalid');
      if (missing.length > 0) {
        expect([match.state, match.reason, match.scoreA]).toEqual(['unplayed', 'refused', null]);
        continue;
      }
      const points = own.map(({ order, winnerPosition }) => {
        if (winnerPosition === 'tie') return 0.5;
        return (winnerPosition === 'first') === (order === 'ab') ? 1 : 0;
      });
      expect(match.scoreA).toBeCloseTo(points.reduce((sum: number, one) => sum + one, 0) / 6, 12);
      expect([match.state, match.agreement]).toEqual(['played', null]);
    }
  });

  test('the summary tells the judges apart: 16 verdicts each, what each cost, who flips, who says nothing', () => {
    expect(summary.judges.map(({ judge, verdicts }) => [judge, verdicts])).toEqual([
      [FAIR, 16],
      [FIXED, 16],
      [FAILING, 16],
    ]);
    const [fair, fixed, failing] = summary.judges;
    expect(fair).toMatchObject({ invalid: 0, matches: 8, flips: 0, isUninformative: false });
    // 8 of 8 flips to the first: two-sided, 2 × 2⁻⁸.
    expect(fixed).toMatchObject({ flips: 8, positionBias: { firstFirst: 8 }, isUninformative: true });
    expect(fixed?.positionBias?.pValue).toBeCloseTo(2 ** -7, 12);
    expect(failing?.invalid).toBe(rows.verdicts.filter(({ state }) => state === 'invalid').length);
    for (const { costUsd } of summary.judges) expect(costUsd).toBeGreaterThan(0);
    const ofJudges = summary.judges.reduce((sum, { costUsd }) => sum + costUsd, 0);
    expect(ofJudges).toBeLessThan(summary.judge.costUsd); // which has the reviews too
    expect(summary.judge.flips).toBe(summary.judges.reduce((sum, { flips }) => sum + flips!, 0));
  });

  test('each two judges have an agreement; the fair and the fixed one share no outcome', () => {
    expect(summary.agreements!.map(({ judges }) => judges)).toEqual([
      [FAILING, FAIR],
      [FAILING, FIXED],
      [FAIR, FIXED],
    ]);
    // Strengths 18 logits apart: the fair judge names the strong one or, in 4 % of verdicts, a tie.
    const [, , fairAndFixed] = summary.agreements!;
    expect(fairAndFixed?.matches).toBe(8);
    expect(fairAndFixed?.agreed.count).toBeLessThanOrEqual(1);
  });

  test('the first judge reviewed, and that it reads its own reviews is flagged', () => {
    expect(summary.judging.reviewer).toBe(FAIR);
    expect(summary.flags).toContainEqual({ kind: 'judge_is_reviewer', judge: FAIR });
  });

  test('every stored figure follows again from the raw verdicts', async () => {
    expect(checkFigures(await readRecordedBench(worker.db, summary.benchId), null)).toEqual([]);
  });
}
