import { Random } from '../../../core/random';
import { fitCandidates } from '../../../core/ratings/candidate-fit';
import { rateCandidates } from '../../../core/ratings/candidate-ratings';
import { logitFromElo, sigmoid } from '../../../core/ratings/elo-scale';
import {
  detectableGapElo,
  EXPECTED_NOISE,
  itemsForWinRate,
  leastHypotheses,
  planForGap,
} from '../../../core/ratings/power';
import { varianceReport } from '../../../core/ratings/variance-report';
import { buildSchedule } from '../../../core/schedule';
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

  it('8 candidates with n = 8 and 8 matches a pair see about 300 Elo (simulated elsewhere; within 10 %)', () => {
    const seen = detectableGapElo({ candidates: 8, n: 8, matches: 8 }, expected(0.6));
    expect(Math.abs(seen / 300 - 1)).toBeLessThan(0.1);
  });

  it.each([
    [8, 4, 4],
    [4, 5, 4],
    [2, 10, 20],
  ])(
    '%d candidates with n = %d and %d matches a pair call the gap they are said to see in 65 to 95 of 100 benches',
    (candidates, n, matches) => {
      const gap = detectableGapElo({ candidates, n, matches }, expected(0.6));
      const random = new Random([candidates, n, matches]);
      let seen = 0;
      for (let bench = 0; bench < 100; bench++) {
        const { differences } = rateCandidates(gappedBench({ candidates, n, matches }, gap, random), {
          seed: 0,
          draws: 1,
        });
        if (differences.some(({ a, b, word }) => a === 'c0' && b === 'c1' && word === 'better')) seen += 1;
      }
      expect(seen).toBeGreaterThanOrEqual(65);
      expect(seen).toBeLessThanOrEqual(95);
    },
  );

  it('one hypothesis each sees nothing', () => {
    expect(detectableGapElo({ candidates: 4, n: 1, matches: 50 }, expected(0.6))).toBe(
      Number.POSITIVE_INFINITY,
    );
  });

  it('more matches or more hypotheses never see less', () => {
    const gap = (n: number, matches: number) =>
      detectableGapElo({ candidates: 4, n, matches }, expected(0.6));
    for (const [n, matches] of [
      [2, 4],
      [4, 4],
      [10, 8],
    ] as const) {
      expect(gap(n, matches + 2)).toBeLessThanOrEqual(gap(n, matches) + 1e-5);
      expect(gap(n + 2, matches)).toBeLessThanOrEqual(gap(n, matches) + 1e-5);
    }
  });

  it('a plan sees the gap it was asked for, and one match less would not', () => {
    const plan = planForGap(200, 4, expected(0.6), { usdPerHypothesis: 0.5, usdPerVerdict: 0.02 })!;
    expect(plan.detectableGapElo).toBeLessThanOrEqual(200.001);
    expect(detectableGapElo({ ...plan, matches: plan.matches - 1 }, expected(0.6))).toBeGreaterThan(200);
    expect(plan.usd).toBeCloseTo(plan.hypotheses * 0.5 + plan.verdicts * 0.02, 10);
    expect(plan.n).toBeGreaterThanOrEqual(plan.leastHypotheses);
  });

  it('a plan is the cheapest of all n up to 9 and all matches up to 10 (naive search)', () => {
    const costs = { usdPerHypothesis: 0.3, usdPerVerdict: 0.05 };
    const plan = planForGap(250, 6, expected(0.3), costs)!;
    let cheapest = Number.POSITIVE_INFINITY;
    for (let n = 2; n <= 9; n++) {
      for (let matches = 1; matches <= 10; matches++) {
        const usd = 6 * n * 0.3 + 15 * matches * 2 * 0.05;
        if (usd >= cheapest) break;
        if (detectableGapElo({ candidates: 6, n, matches }, expected(0.3)) > 250) continue;
        cheapest = usd;
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
    expect(varianceReport(fit, { usdPerHypothesis: 1, usdPerVerdict: 0 })!.nextDollar).toBe('verdicts');
    expect(varianceReport(fit, { usdPerHypothesis: 0, usdPerVerdict: 0 })!.nextDollar).toBeNull();
    expect(report.detectableGapElo).toBeGreaterThan(50);
  });

  it('the gap it could see does not depend on the gap seen: reversing all outcomes changes nothing', () => {
    const reversed = matches.map((one) => ({ ...one, scoreA: 1 - one.scoreA! }));
    const gap = (list: typeof matches) => varianceReport(fitCandidates(list), null)!.detectableGapElo;
    expect(gap(reversed)).toBeCloseTo(gap(matches), 8);
  });

  // By the errors that benches of equals have it was called in 61 %: at the gap itself they are larger.
  it('the gap that benches of equals say they could see is called in 68 to 92 % of 150 benches that have it', () => {
    const size = { candidates: 2, n: 8, matches: 16 };
    const random = new Random([2, 8, 16]);
    const told = Array.from({ length: 60 }, () => {
      return varianceReport(fitCandidates(gappedBench(size, 0, random)), null)!.detectableGapElo;
    });
    const gap = told.sort((one, other) => one - other)[30]!;
    const seen = Array.from({ length: 150 }, () => {
      const { differences } = rateCandidates(gappedBench(size, gap, random), { seed: 0, draws: 1 });
      return differences.some(({ a, b, word }) => a === 'c0' && b === 'c1' && word === 'better');
    }).filter(Boolean).length;
    expect(seen / 150).toBeGreaterThan(0.68);
    expect(seen / 150).toBeLessThan(0.92);
  });

  it('there is no report on one candidate', () => {
    expect(varianceReport(fitCandidates([]), null)).toBeNull();
  });
});

/**
 * c0 and c1 a gap apart on the judge's scale (the chance that a fresh hypothesis of one beats one of the other),
 * the rest in the middle; spread .6, verdicts independent.
 */
function gappedBench(
  design: { candidates: number; n: number; matches: number },
  gapElo: number,
  random: Random,
) {
  const strengths = Array.from({ length: design.candidates }, (_, c) => {
    const skill = c === 0 ? latentGap(gapElo) / 2 : c === 1 ? -latentGap(gapElo) / 2 : 0;
    return Array.from({ length: design.n }, () => skill + 0.6 * random.normal());
  });
  const seed = random.integers(0, 2 ** 32);
  return buildSchedule({ candidates: design.candidates, slots: design.n, matches: design.matches, seed }).map(
    (one) => {
      const edge = strengths[one.candA]![one.slotA - 1]! - strengths[one.candB]![one.slotB - 1]!;
      const say = () => (random.uniform() < sigmoid(edge) ? 'a' : 'b');
      return match(one.index, `c${one.candA}/${one.slotA}`, `c${one.candB}/${one.slotB}`, [say(), say()]);
    },
  );
}

/** The difference of mean strengths at which fresh against fresh has the chance that the gap stands for. */
function latentGap(gapElo: number): number {
  const nodes = Array.from({ length: 41 }, (_, k) => -4 + k / 5);
  const total = nodes.reduce((sum, z) => sum + Math.exp((-z * z) / 2), 0);
  const chance = (gap: number) =>
    nodes.reduce((sum, z) => sum + Math.exp((-z * z) / 2) * sigmoid(gap + 0.6 * Math.SQRT2 * z), 0) / total;
  let low = 0;
  let high = 20;
  while (high - low > 1e-9) {
    const middle = (low + high) / 2;
    if (chance(middle) < sigmoid(logitFromElo(gapElo))) low = middle;
    else high = middle;
  }
  return low;
}
