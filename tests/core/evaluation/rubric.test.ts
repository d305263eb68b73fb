import fc from 'fast-check';
import { type Rubric, type RubricScore, tallyRubric, weightedTotal } from '../../../core/evaluation/rubric';

const RUBRIC: Rubric = {
  name: 'generation',
  version: 2,
  criteria: [
    { name: 'novelty', weight: 2, question: '?' },
    { name: 'testability', weight: 1, question: '?' },
    { name: 'grounding', weight: 1, question: '?' },
  ],
};

const mark = (criterion: string, score: number) => ({ criterion, score, reason: 'so' });

function score(
  subject: string,
  marks: ReturnType<typeof mark>[],
  changes: Partial<RubricScore> = {},
): RubricScore {
  return {
    ...{ agent: 'generation', version: 2, subject, judge: 'sim:referee' },
    outcome: { state: 'valid', marks },
    ...changes,
  };
}

test('5 at weight 2 and 2 at weight 1 make 4; what was not scored does not count: (2 × 5 + 1 × 2) ÷ 3', () => {
  expect(weightedTotal(RUBRIC, [mark('novelty', 5), mark('testability', 2)])).toBe(4);
});

test('no mark at all, or only of criteria it does not have, is no total, not a zero', () => {
  expect(weightedTotal(RUBRIC, [])).toBeNull();
  expect(weightedTotal(RUBRIC, [mark('style', 5)])).toBeNull();
});

test('a total lies between the least and the greatest mark, and equal marks are the total', () => {
  const marks = fc.uniqueArray(
    fc.record({
      criterion: fc.constantFrom('novelty', 'testability', 'grounding'),
      score: fc.integer({ min: 1, max: 5 }),
    }),
    { selector: ({ criterion }) => criterion, minLength: 1 },
  );
  fc.assert(
    fc.property(marks, (given) => {
      const scores = given.map((it) => it.score);
      const total = weightedTotal(
        RUBRIC,
        given.map((it) => mark(it.criterion, it.score)),
      )!;
      expect(total).toBeGreaterThanOrEqual(Math.min(...scores) - 1e-12);
      expect(total).toBeLessThanOrEqual(Math.max(...scores) + 1e-12);
    }),
    { seed: 20261004 },
  );
});

test('a tally counts totals, says what was not scored and why, and leaves other versions and agents out', () => {
  const tallies = tallyRubric(RUBRIC, [
    score('b/1', [mark('novelty', 5), mark('testability', 2)]), // 4
    score('b/2', [mark('novelty', 2), mark('testability', 2), mark('grounding', 4)]), // (4 + 2 + 4) ÷ 4 = 2.5
    score('b/3', []),
    score('b/4', [], { outcome: { state: 'invalid', reason: 'truncated', detail: '' } }),
    score('b/1', [mark('novelty', 1)], { version: 1 }),
    score('b/m1', [mark('novelty', 1)], { agent: 'ranking' }),
    score('b/1', [mark('novelty', 3)], { judge: 'sim:alder' }),
  ]);
  expect(tallies.map(({ judge }) => judge)).toEqual(['sim:alder', 'sim:referee']);
  expect(tallies[1]).toEqual({
    ...{ agent: 'generation', version: 2, judge: 'sim:referee' },
    ...{ scored: 2, mean: 3.25, least: 2.5, greatest: 4 },
    unscored: [
      { reason: 'no_marks', count: 1 },
      { reason: 'truncated', count: 1 },
    ],
    criteria: [
      { name: 'novelty', weight: 2, scored: 2, mean: 3.5 },
      { name: 'testability', weight: 1, scored: 2, mean: 2 },
      { name: 'grounding', weight: 1, scored: 1, mean: 4 },
    ],
  });
});
