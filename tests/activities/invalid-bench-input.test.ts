import fc from 'fast-check';
import { invalidBenchInput } from '../../activities/invalid-bench-input';

test('2 problems are told whole, however long one of them is under 2 KB', () => {
  const long = `candidates[0]: unknown model (known: ${'m, '.repeat(500)}; did you mean gpt-5?)`;
  const { message, type, nonRetryable, details } = invalidBenchInput(['n: 0 is not 1 to 1000', long]);
  expect(message).toBe(`2 problems in the bench input:\n- n: 0 is not 1 to 1000\n- ${long}`);
  expect({ type, nonRetryable, details }).toEqual({
    type: 'InvalidBenchInput',
    nonRetryable: true,
    details: [{ problems: 2 }],
  });
});

test('of 25 long problems 20 are told, head and end of each, and 5 are counted', () => {
  const problems = Array.from(
    { length: 25 },
    (_, i) => `candidates[${i}]: ${'x'.repeat(400)} did you mean ${i}?`,
  );
  const lines = invalidBenchInput(problems).message.split('\n');
  expect(lines[0]).toBe('25 problems in the bench input:');
  expect(lines).toHaveLength(22);
  expect(lines[20]).toMatch(/^- candidates\[19\]: x+…x+ did you mean 19\?$/);
  expect(lines[21]).toBe('- and 5 more');
});

test('any problems make a failure under 3,000 bytes without a broken character, stack included', () => {
  const text = fc.string({ unit: 'binary', maxLength: 3_000 });
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 60 }), (problems) => {
      const { message, stack = '' } = invalidBenchInput(problems.map((problem) => problem.toWellFormed()));
      expect(Buffer.byteLength(message) + Buffer.byteLength(stack)).toBeLessThan(3_000);
      expect(message.isWellFormed()).toBe(true);
    }),
    { numRuns: 60 },
  );
});
