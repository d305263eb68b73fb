import fc from 'fast-check';
import { formatModelRef, type ModelRef, parseModelRef } from '../../core/model-ref';

// The grammar of DESIGN.md, "Input".
test.each<[string, ModelRef]>([
  ['openai:gpt-5', { provider: 'openai', model: 'gpt-5' }],
  ['openrouter:google/gemma-3:free', { provider: 'openrouter', model: 'google/gemma-3:free' }],
  ['anthropic:claude@20250514', { provider: 'anthropic', model: 'claude@20250514' }],
  ['compat-lab:@cf/meta/llama-3', { provider: 'compat-lab', model: '@cf/meta/llama-3' }],
  ['sim:alder,skill=1.2,fail=timeout:0.5', { provider: 'sim', model: 'alder,skill=1.2,fail=timeout:0.5' }],
])('%s is %j', (text, expected) => {
  expect(parseModelRef(text)).toEqual({ value: expected });
});

test.each([
  ['gpt-5', 'no provider in "gpt-5"'],
  [':gpt-5', 'no provider in ":gpt-5"'],
  ['openai:', 'no model in "openai:"'],
  ['openai:gpt 5', 'white space or control characters in the model of "openai:gpt 5"'],
  ['openai:gpt-5@direct', 'a mode, "@direct", has no place in "openai:gpt-5@direct"'],
  [`openai:${'x'.repeat(201)}`, 'a model of 201 characters'],
])('%s is refused: %s', (text, problem) => {
  expect(parseModelRef(text)).toEqual({ problems: [expect.stringContaining(problem)] });
});

test('what is read and written again is the same', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const read = parseModelRef(text);
      if ('value' in read) expect(formatModelRef(read.value)).toBe(text);
    }),
  );
});
