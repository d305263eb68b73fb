import type { BenchPlan } from '../../core/bench-plan';
import { alternativesOf, fitToPurse, forecastBench } from '../../core/forecast';
import { smallPlan } from '../db/seed-bench';

// Two direct candidates at $1 / $5 a million tokens, n 2, 2 matches: by hand
// generation 2 × (1300 × 1 + 1500 × 5) / 1e6 = $0.0176; reviews 4 × (2000 + 2500) / 1e6 = $0.018;
// verdicts 2 matches × 2 orders × (4500 + 2500) / 1e6 = $0.028.
test('two candidates, n 2, 2 matches: $0.0176 a candidate and $0.046 for the judge, $0.0812 in all', () => {
  const forecast = forecastBench(smallPlan());
  expect(forecast.candidates.map((c) => c.expectedUsd)).toEqual([0.0176, 0.0176]);
  expect(forecast.judge.expectedUsd).toBeCloseTo(0.046, 12);
  expect(forecast.bench.expectedUsd).toBeCloseTo(0.0812, 12);
});

test('neither expected nor worst dollars pass a cap, and expected never exceeds worst', () => {
  const plan = smallPlan({ budgets: { perCandidateUsd: 0.01, judgeUsd: 0.02, benchUsd: 0.035 } });
  const { candidates, judge, bench } = forecastBench(plan);
  for (const { expectedUsd, worstUsd } of candidates) {
    expect(expectedUsd).toBeLessThanOrEqual(0.01);
    expect(worstUsd).toBe(0.01);
  }
  expect(judge.worstUsd).toBe(0.02);
  expect(bench.worstUsd).toBe(0.035);
});

test('n = 1, no matches and four matches a candidate promise no detectable gap; more sees less and less', () => {
  const gap = (changes: Partial<BenchPlan>) => forecastBench(smallPlan(changes)).detectableGapElo;
  expect(gap({ n: 1 })).toBeNull();
  expect(gap({ matches: 0 })).toBeNull();
  expect(gap({ n: 4, matches: 4 })).toBeNull();
  expect(gap({ n: 12, matches: 24 })!).toBeLessThan(gap({ n: 8, matches: 8 })!);
});

test('alternatives cost at most a tenth more than the plan, and differ from it', () => {
  const plan = smallPlan({ n: 4, matches: 4 });
  const { expectedUsd } = forecastBench(plan).bench;
  const alternatives = alternativesOf(plan);
  expect(alternatives.length).toBeGreaterThan(0);
  for (const other of alternatives) {
    expect(other.expectedUsd).toBeLessThanOrEqual(expectedUsd * 1.1);
    expect([other.n, other.matches]).not.toEqual([4, 4]);
  }
});

test('a purse of $1 is filled but not passed, one of a cent buys no bench', () => {
  const size = fitToPurse(smallPlan(), 1);
  expect(size?.expectedUsd).toBeLessThanOrEqual(1);
  expect(size?.expectedUsd).toBeGreaterThan(0.8);
  expect(fitToPurse(smallPlan(), 0.01)).toBeNull();
});
