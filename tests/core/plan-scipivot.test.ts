import { planInput } from '../../activities/plan-input';
import type { BenchInput } from '../../core/bench-input';
import { forecastBench } from '../../core/forecast';
import { isScipivotAlone } from '../../core/planned-settings';

const ALONE: BenchInput = { scipivot: 'official', n: 0, candidates: ['one=sim:elm'] };
const WHOLE: BenchInput = {
  goal: 'Find something out.',
  candidates: ['one=sim:elm@direct', 'two=sim:fir@direct'],
  judge: 'sim:referee',
};

function plan(input: BenchInput) {
  const planned = planInput(input);
  if ('problems' in planned) throw new Error(planned.problems.join('; '));
  return planned.plan;
}

function problems(input: BenchInput): string[] {
  const planned = planInput(input);
  return 'problems' in planned ? planned.problems : [];
}

test('a data set beside a bench is in its plan; without one the plan has null', () => {
  expect(plan({ ...WHOLE, scipivot: 'official' })).toMatchObject({ scipivot: 'official', n: 4, matches: 2 });
  expect(plan(WHOLE).scipivot).toBeNull();
});

test('with n 0 it needs one candidate, and neither goal, judge nor matches', () => {
  const alone = plan(ALONE);
  expect(alone).toMatchObject({ n: 0, matches: 0, judges: [], reviewer: null, scipivot: 'official' });
  expect(alone.goal).toContain('official');
  expect(isScipivotAlone(alone)).toBe(true);
  expect(problems({ ...ALONE, candidates: [] })).toEqual(['candidates: 0 given, a bench needs at least 1']);
});

test('n 0 without a data set, or with matches, is refused', () => {
  expect(problems({ ...WHOLE, n: 0 })).toContain('n: 0 is not an integer from 1 to 1000');
  expect(problems({ ...ALONE, matches: 2, judge: 'sim:referee' })).toContain(
    'n: 0 is not an integer from 1 to 1000',
  );
});

test.each(['Official', '', 'a b', '../x', '-x', 'x'.repeat(65)])('%j is no data set’s name', (scipivot) => {
  expect(problems({ ...ALONE, scipivot })).toEqual([expect.stringContaining('scipivot: ')]);
});

test('a cap below one session is refused by name: 8192 tokens of output at $5 a million are $0.04096', () => {
  expect(problems({ ...ALONE, budgetPerCandidateUsd: 0.04 })).toEqual([
    expect.stringMatching(/^budgetPerCandidateUsd: \$0\.04 is below one call of sim:elm.* \$0\.0410/),
  ]);
});

test('a model that stands under two labels is said to be asked twice', () => {
  const { notes } = plan({
    ...WHOLE,
    candidates: ['one=sim:elm', 'two=sim:elm@direct'],
    scipivot: 'official',
  });
  expect(notes).toContain('scipivot: sim:elm is asked 2 times, as one, two');
});

test('a forecast has 496 sessions of each who is asked: at 500 and 200 tokens $0.744 a sim model', () => {
  // By hand: 496 · (500 · $1 + 200 · $5) / 1e6.
  const of = (input: BenchInput) => forecastBench(plan(input));
  expect(of(ALONE).candidates[0]!.expectedUsd).toBeCloseTo(0.744, 10);
  const [without, beside] = [of(WHOLE), of({ ...WHOLE, scipivot: 'official' })];
  expect(beside.candidates[0]!.expectedUsd - without.candidates[0]!.expectedUsd).toBeCloseTo(0.744, 10);
  expect(beside.judge.expectedUsd - without.judge.expectedUsd).toBeCloseTo(0.744, 10);
});
