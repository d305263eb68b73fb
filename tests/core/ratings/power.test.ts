import { fitCandidates } from '../../../core/ratings/candidate-fit';
import {
  detectableGapElo,
  EXPECTED_NOISE,
  expectedStandardError,
  itemsForWinRate,
  leastHypotheses,
  planForGap,
} from '../../../core/ratings/power';
import { varianceReport } from '../../../core/ratings/variance-report';
import { match } from './rated-matches';

const expected = (spread: number) => ({ spread, ...EXPECTED_NOISE });

describe('power for independent items (80 %, two-sided 5 %, decisive)', () => {
  it.each([
    [0.51, 19620],
    [0.55, 783],
    [0.6, 194],
    [0.65, 85],
    [0.7, 47],
    [0.75, 29],
    [0.4, 194],
  ])('a win rate of %d takes %d items', (winRate, items) => {
    expect(itemsForWinRate(winRate)).toBe(items);
  });

  it.each([0.5, 0, 1])('a win rate of %d has no sample size', (winRate) => {
    expect(() => itemsForWinRate(winRate)).toThrow(`a win rate of ${winRate} has no sample size`);
  });
});

describe('power for candidates, whose unit is the hypothesis', () => {
  it.each([
    [70, 0.3, 9],
    [70, 0.6, 35],
    [70, 1, 97],
    [100, 0.3, 5],
    [100, 0.6, 18],
    [100, 1, 48],
    [200, 0.3, 2],
    [200, 0.6, 5],
    [200, 1, 12],
  ])('%d Elo at a spread of %d take %d hypotheses each, even with free verdicts', (gap, spread, n) => {
    expect(leastHypotheses(gap, spread)).toBe(n);
  });

  // Simulated elsewhere (position bias .4, spread .6): 700, 400 and 300 Elo.
  it.each([
    [2, 2, 700],
    [4, 4, 400],
    [8, 8, 300],
  ])('8 candidates with n = %d and %d matches a pair see about %d Elo (within 15 %%)', (n, matches, gap) => {
    const design = { candidates: 8, n, matches };
    const seen = detectableGapElo(design, expectedStandardError(design, expected(0.6)));
    expect(Math.abs(seen / gap - 1)).toBeLessThan(0.15);
  });

  it('one hypothesis each sees nothing', () => {
    expect(detectableGapElo({ candidates: 4, n: 1, matches: 50 }, 0.1)).toBe(Number.POSITIVE_INFINITY);
  });

  it('a plan sees the gap it was asked for, and neither one hypothesis nor one match less would', () => {
    const plan = planForGap(200, 4, expected(0.6), { usdPerHypothesis: 0.5, usdPerVerdict: 0.02 })!;
    expect(plan.detectableGapElo).toBeLessThanOrEqual(200);
    const gap = (n: number, matches: number) => {
      const design = { candidates: 4, n, matches };
      return detectableGapElo(design, expectedStandardError(design, expected(0.6)));
    };
    expect(gap(plan.n - 1, plan.matches)).toBeGreaterThan(200);
    expect(gap(plan.n, plan.matches - 1)).toBeGreaterThan(200);
    expect(plan.usd).toBeCloseTo(plan.hypotheses * 0.5 + plan.verdicts * 0.02, 10);
    expect(plan.n).toBeGreaterThanOrEqual(plan.leastHypotheses);
  });

  it('a plan is the cheapest of all n up to 120 with as few matches as each needs (naive search)', () => {
    const costs = { usdPerHypothesis: 0.3, usdPerVerdict: 0.05 };
    const plan = planForGap(150, 6, expected(0.3), costs)!;
    let cheapest = Number.POSITIVE_INFINITY;
    for (let n = 2; n <= 120; n++) {
      for (let matches = 1; matches <= 60; matches++) {
        const design = { candidates: 6, n, matches };
        if (detectableGapElo(design, expectedStandardError(design, expected(0.3))) > 150) continue;
        cheapest = Math.min(cheapest, 6 * n * 0.3 + 15 * matches * 2 * 0.05);
        break;
      }
    }
    expect(plan.usd!).toBeCloseTo(cheapest, 8);
  });

  it('without prices a plan has no dollars', () => {
    expect(planForGap(400, 4, expected(0.6), null)).toMatchObject({ usd: null });
  });

  it('a gap that 1,000 hypotheses do not show has no plan', () => {
    expect(planForGap(2, 4, expected(1), null)).toBeNull();
  });
});

describe('after a bench', () => {
  const matches = Array.from({ length: 40 }, (_, k) =>
    match(k, `a/${k % 4}`, `b/${(k + Math.floor(k / 4)) % 4}`, k % 3 ? ['a', 'b'] : ['a', 'a']),
  );

  it('the variance is shared out whole, and the next dollar goes where it lowers it more', () => {
    const fit = fitCandidates(matches);
    const report = varianceReport(fit, { usdPerHypothesis: 1, usdPerVerdict: 1000 })!;
    expect(report.fromHypotheses + report.fromVerdicts).toBeCloseTo(1, 12);
    expect(report.nextDollar).toBe('hypotheses');
    expect(varianceReport(fit, { usdPerHypothesis: 1000, usdPerVerdict: 0.001 })!.nextDollar).toBe(
      'verdicts',
    );
    expect(varianceReport(fit, null)!.nextDollar).toBeNull();
    expect(report.detectableGapElo).toBeGreaterThan(50);
  });

  it('the gap it could see does not depend on the gap seen: reversing all outcomes changes nothing', () => {
    const reversed = matches.map((one) => ({ ...one, scoreA: 1 - one.scoreA! }));
    const gap = (list: typeof matches) => varianceReport(fitCandidates(list), null)!.detectableGapElo;
    expect(gap(reversed)).toBeCloseTo(gap(matches), 8);
  });

  it('there is no report on one candidate', () => {
    expect(varianceReport(fitCandidates([]), null)).toBeNull();
  });
});
