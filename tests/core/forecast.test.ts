import fc from 'fast-check';
import type { BenchPlan } from '../../core/bench-plan';
import {
  alternativesOf,
  fitToPurse,
  forecastBench,
  uncappedUsd,
  usualNoise,
  usualUnitCosts,
} from '../../core/forecast';
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

// By hand at the same prices; a verdict is (4500 + 500 × 5) / 1e6 = $0.007.
test.each<[string, Partial<BenchPlan>, number]>([
  ['balanced orders halve the verdicts: 0.018 + 2 × 0.007', { orders: 'balanced' }, 0.032],
  [
    'a panel of two doubles them: 0.018 + 8 × 0.007',
    { judges: [...smallPlan().judges, ...smallPlan().judges] },
    0.074,
  ],
  ['half of 2 matches again is one more match: 0.018 + 6 × 0.007', { repeatShare: 0.5 }, 0.06],
  [
    // Arguments (4000 + 400 × 5) and (4400 + 400 × 5), then a verdict that reads both: 4500 + 800 + 500 × 5.
    'a debate of a turn a side before each: 0.018 + 4 × (0.006 + 0.0064 + 0.0078)',
    { verdictMode: 'debate', debateTurns: 1 },
    0.0988,
  ],
])('%s', (_, changes, usd) => {
  expect(forecastBench(smallPlan(changes)).judge.expectedUsd).toBeCloseTo(usd, 12);
});

// Twelve arguments of 6000 + 400 i (i = 0 … 11) and a verdict of 4500 + 12 × 400 + 2500, in millionths.
test('a debate of 6 turns a side: 0.018 + 4 × 0.1102 dollars, takes longer, and at worst more than expected', () => {
  const [short, long] = [1, 6].map((debateTurns) =>
    forecastBench(smallPlan({ verdictMode: 'debate', debateTurns })),
  );
  expect(long!.judge.expectedUsd).toBeCloseTo(0.4588, 12);
  expect(long!.expectedMinutes).toBeGreaterThan(short!.expectedMinutes);
  expect(short!.judge.worstUsd).toBeGreaterThan(short!.judge.expectedUsd);
});

// The same calls, one verdict of each.
test.each<[string, Partial<BenchPlan>, number]>([
  ['alone', {}, 0.007],
  ['after a debate of a turn a side', { verdictMode: 'debate', debateTurns: 1 }, 0.0202],
  ['after one of 6', { verdictMode: 'debate', debateTurns: 6 }, 0.1102],
  ['of which half are repeated', { repeatShare: 0.5 }, 0.0105],
  ['after a debate, half repeated', { verdictMode: 'debate', debateTurns: 1, repeatShare: 0.5 }, 0.0303],
])('a verdict %s usually costs what it takes', (_, changes, usd) => {
  expect(usualUnitCosts(smallPlan(changes)).usdPerVerdict).toBeCloseTo(usd, 12);
});

test('for any plan, hypotheses and verdicts times what one costs are what the forecast expects of them all', () => {
  const [judge] = smallPlan().judges;
  const dear = { ...judge!, price: { ...judge!.price, inputUsdPerMTok: 7, outputUsdPerMTok: 31 } };
  const plans = fc.record({
    orders: fc.constantFrom('both' as const, 'balanced' as const),
    verdictMode: fc.constantFrom('single' as const, 'debate' as const),
    debateTurns: fc.integer({ min: 1, max: 6 }),
    // Of eight matches a share in eighths is a whole number of them.
    repeatShare: fc.integer({ min: 0, max: 8 }).map((eighths) => eighths / 8),
    judges: fc.array(fc.constantFrom(judge!, dear), { minLength: 1, maxLength: 3 }),
    n: fc.integer({ min: 1, max: 9 }),
  });
  fc.assert(
    fc.property(plans, (changes) => {
      const plan = smallPlan({ ...changes, matches: 8 });
      const { usdPerHypothesis, usdPerVerdict } = usualUnitCosts(plan);
      const verdicts = 8 * usualNoise(plan).verdictsPerMatch;
      const sum = 2 * plan.n * usdPerHypothesis + verdicts * usdPerVerdict;
      expect(uncappedUsd(plan)).toBeCloseTo(sum, 8);
    }),
  );
});

test('each judge of a panel is priced by itself: 4 verdicts of $0.007, and of ten times the price $0.28', () => {
  const [judge] = smallPlan().judges;
  const { price } = judge!;
  const dear = { ...price, inputUsdPerMTok: 10, outputUsdPerMTok: 50 };
  const { judges } = forecastBench(
    smallPlan({ judges: [judge!, { ...judge!, model: 'dear', price: dear }] }),
  );
  expect(judges.map(({ expectedUsd }) => expectedUsd)).toEqual([0.028, 0.28]);
});

test('more verdicts a match see smaller gaps: a panel more than both orders, those more than one', () => {
  const size = { n: 12, matches: 12 };
  const [judge] = smallPlan().judges;
  const [panel, both, one] = [
    { ...size, judges: [judge!, judge!, judge!] },
    size,
    { ...size, orders: 'balanced' as const },
  ].map((changes) => forecastBench(smallPlan(changes)).detectableGapElo!);
  expect(panel!).toBeLessThan(both!);
  expect(both!).toBeLessThan(one!);
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
