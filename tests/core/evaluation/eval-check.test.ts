import { checkedText, type EvalCheck } from '../../../core/evaluation/eval-check';

test.each([
  [1, 'answers', '1 answer'],
  [1, 'matches', '1 match'],
  [1, 'slots', '1 slot'],
  [0, 'matches', '0 matches'],
  [12, 'answers', '12 answers'],
])('%d %s are said as %s', (checked, unit, text) => {
  const check: EvalCheck = { area: 'ranking', name: 'outcomes', unit, checked, violations: [], notes: [] };
  expect(checkedText(check)).toBe(text);
});
