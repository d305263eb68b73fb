import { suggest } from '../../presets/suggest';

const PROVIDERS = ['anthropic', 'openai', 'google', 'openrouter', 'openai-compatible', 'sim'];

test.each([
  ['opnai', 'openai'],
  ['OpenAI', 'openai'],
  ['antropic', 'anthropic'],
  ['openai-compatable', 'openai-compatible'],
  ['sin', 'sim'],
])('for %s it suggests %s', (word, expected) => {
  expect(suggest(word, PROVIDERS)).toBe(expected);
});

test.each(['mistral', 'gpt', '', 'x'.repeat(1000)])('for "%s" it suggests nothing', (word) => {
  expect(suggest(word, PROVIDERS)).toBeNull();
});

test('among no words it suggests nothing', () => {
  expect(suggest('openai', [])).toBeNull();
});
