import fc from 'fast-check';
import {
  type CountedVerdict,
  type MatchOutcome,
  matchOutcome,
  outcomeOf,
  type Position,
  sideAt,
  type Verdict,
} from '../../core/outcome';

type Named = Position | 'tie' | 'invalid';
const verdict = (named: Named): Verdict =>
  named === 'invalid' ? { state: 'invalid', reason: 'truncated' } : { state: 'valid', winner: named };

// The table of DESIGN.md, "Tournament", written out. In order ba, side b is shown first.
test.each<[Named, Named, MatchOutcome]>([
  ['first', 'second', { state: 'played', winner: 'a', scoreA: 1, agreement: 'agreed' }],
  ['second', 'first', { state: 'played', winner: 'b', scoreA: 0, agreement: 'agreed' }],
  ['tie', 'tie', { state: 'played', winner: 'tie', scoreA: 0.5, agreement: 'agreed' }],
  ['first', 'first', { state: 'played', winner: 'tie', scoreA: 0.5, agreement: 'flip' }],
  ['second', 'second', { state: 'played', winner: 'tie', scoreA: 0.5, agreement: 'flip' }],
  ['first', 'tie', { state: 'played', winner: 'a', scoreA: 0.75, agreement: 'half_flip' }],
  ['tie', 'second', { state: 'played', winner: 'a', scoreA: 0.75, agreement: 'half_flip' }],
  ['second', 'tie', { state: 'played', winner: 'b', scoreA: 0.25, agreement: 'half_flip' }],
  ['tie', 'first', { state: 'played', winner: 'b', scoreA: 0.25, agreement: 'half_flip' }],
  ['first', 'invalid', { state: 'unplayed', reason: 'truncated' }],
  ['invalid', 'second', { state: 'unplayed', reason: 'truncated' }],
  ['invalid', 'invalid', { state: 'unplayed', reason: 'truncated' }],
])('ab says %s and ba says %s: %j', (ab, ba, expected) => {
  expect(matchOutcome({ ab: verdict(ab), ba: verdict(ba) })).toEqual(expected);
});

test('of two missing verdicts the reason is that of ab', () => {
  const missing = (reason: string): Verdict => ({ state: 'invalid', reason });
  expect(matchOutcome({ ab: missing('refused'), ba: missing('truncated') })).toEqual({
    state: 'unplayed',
    reason: 'refused',
  });
});

test('swapping the sides swaps the winner, takes the score from 1 and keeps the agreement', () => {
  const named = fc.constantFrom<Position | 'tie'>('first', 'second', 'tie');
  fc.assert(
    fc.property(named, named, (one, other) => {
      const outcome = matchOutcome({ ab: verdict(one), ba: verdict(other) });
      const swapped = matchOutcome({ ab: verdict(other), ba: verdict(one) });
      if (outcome.state !== 'played' || swapped.state !== 'played') throw new Error('both were valid');
      expect(swapped.scoreA).toBe(1 - outcome.scoreA);
      expect(swapped.agreement).toBe(outcome.agreement);
      expect(swapped.winner).toBe({ a: 'b', b: 'a', tie: 'tie' }[outcome.winner]);
    }),
  );
});

test('first is side a in order ab and side b in order ba', () => {
  expect([sideAt('ab', 'first'), sideAt('ab', 'second')]).toEqual(['a', 'b']);
  expect([sideAt('ba', 'first'), sideAt('ba', 'second')]).toEqual(['b', 'a']);
  expect(sideAt('ba', 'tie')).toBe('tie');
});

const counted = (judge: number, order: 'ab' | 'ba', named: Named): CountedVerdict => ({
  judge,
  order,
  verdict: verdict(named),
});

// CONTRACTS.md, "Rows": score = mean of the judges' scores; winner by ½. One order: score 0, ½, 1; no flips.
test.each<[string, CountedVerdict[], MatchOutcome]>([
  ['one order', [counted(0, 'ba', 'first')], { state: 'played', winner: 'b', scoreA: 0, agreement: null }],
  ['one tie', [counted(0, 'ab', 'tie')], { state: 'played', winner: 'tie', scoreA: 0.5, agreement: null }],
  [
    'a panel of 1 and ¼: ⅝',
    [
      counted(0, 'ab', 'first'),
      counted(0, 'ba', 'second'),
      counted(1, 'ab', 'second'),
      counted(1, 'ba', 'tie'),
    ],
    { state: 'played', winner: 'a', scoreA: 0.625, agreement: null },
  ],
  [
    'a panel of 1 and 0: a tie',
    [
      counted(0, 'ab', 'first'),
      counted(0, 'ba', 'second'),
      counted(1, 'ab', 'second'),
      counted(1, 'ba', 'first'),
    ],
    { state: 'played', winner: 'tie', scoreA: 0.5, agreement: null },
  ],
  [
    'a panel with one verdict missing',
    [
      counted(0, 'ab', 'first'),
      counted(0, 'ba', 'second'),
      counted(1, 'ab', 'first'),
      counted(1, 'ba', 'invalid'),
    ],
    { state: 'unplayed', reason: 'truncated' },
  ],
  [
    'two judges in one order each are not two orders of one',
    [counted(0, 'ab', 'first'), counted(1, 'ba', 'first')],
    { state: 'played', winner: 'tie', scoreA: 0.5, agreement: null },
  ],
])('%s', (_, verdicts, expected) => {
  expect(outcomeOf(verdicts)).toEqual(expected);
});
