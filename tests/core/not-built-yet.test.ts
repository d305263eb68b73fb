import type { BenchInput } from '../../core/bench-input';
import { notBuiltProblems } from '../../core/not-built-yet';

const DIRECT = [{ label: 'a', provider: 'openai', model: 'gpt-5', mode: 'direct' as const }];

test('an input that asks for nothing unbuilt is not refused', () => {
  const input: BenchInput = { n: 4, orders: 'both', judge: ['sim:referee'], repeatShare: 0, replicates: 1 };
  expect(notBuiltProblems(input, DIRECT)).toEqual([]);
});

// A line goes when its part is built.
test.each<[string, BenchInput]>([['replicates', { replicates: 2 }]])(
  '%s is refused by name, with a reason',
  (field, input) => {
    expect(notBuiltProblems(input, DIRECT)).toEqual([
      expect.stringMatching(new RegExp(`^${field}: not built yet: \\w+`)),
    ]);
  },
);
