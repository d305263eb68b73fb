import { reviewParts } from '../../../core/report/review-parts';

test('a review is told as it was asked for, strengths first and the assessment third, though Postgres sorts its keys', () => {
  // jsonb keeps keys by length, then by letters: strengths, assessment, weaknesses.
  const stored = { novelty: 3, strengths: ['a'], assessment: 'b', weaknesses: ['c'] };
  expect(reviewParts(stored)).toEqual([
    ['strengths', ['a']],
    ['weaknesses', ['c']],
    ['assessment', 'b'],
    ['novelty', 3],
  ]);
  expect(reviewParts({ assessment: 'b' })).toEqual([['assessment', 'b']]);
});
