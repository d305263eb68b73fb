import { checkHypothesis, checkReview, checkVerdict } from '../../activities/record-schemas';

const HYPOTHESIS = {
  ...{ title: 'x', summary: 'x', full_text: 'x', mechanism: 'x', falsification: 'x' },
  ...{ entities: ['x'], citations: [] },
};

function problemsOf(checked: ReturnType<typeof checkHypothesis | typeof checkReview | typeof checkVerdict>) {
  return 'problems' in checked ? checked.problems : [];
}

test('of 4,000 empty names, as a model that stutters writes them, 20 are told and 3,980 counted, in under 2 kB', () => {
  const problems = problemsOf(checkHypothesis({ ...HYPOTHESIS, entities: Array(4_000).fill('') }));
  expect(problems).toHaveLength(21);
  expect(problems[0]).toMatch(/^entities\[0\]: /);
  expect(problems[19]).toMatch(/^entities\[19\]: /);
  expect(problems[20]).toBe('and 3980 more of the kind');
  expect(problems.join('\n').length).toBeLessThan(2_000);
});

test('a review and a verdict of 4,000 broken parts are told in as few', () => {
  const many = Array(4_000).fill('');
  expect(problemsOf(checkReview({ strengths: many, weaknesses: many, assessment: '' }))).toHaveLength(21);
  const scores = Array(4_000).fill({ criterion: 'charm', first: 0, second: 9 });
  expect(problemsOf(checkVerdict({ rationale: 'x', winner: 'A', scores }))).toHaveLength(21);
});

test('exactly 20 problems are told without a count', () => {
  const problems = problemsOf(checkHypothesis({ ...HYPOTHESIS, entities: Array(20).fill('') }));
  expect(problems).toHaveLength(20);
  expect(problems[19]).toMatch(/^entities\[19\]: /);
});
