import { isAnotherModel } from '../../core/another-model';

// Names as the makers' documentation and their answers have them.
test.each([
  ['gpt-5', 'gpt-5-2025-08-07'],
  ['gpt-5.6', 'gpt-5.6-sol'],
  ['claude-haiku-4-5', 'claude-haiku-4-5-20251001'],
  ['claude-haiku-4-5-20251001', 'claude-haiku-4-5-20251001'],
  ['anthropic/claude-haiku-4.5', 'anthropic/claude-4.5-haiku-20251001'],
  ['google/gemini-3-flash-preview', 'google/gemini-3-flash-preview-20251217'],
  ['openai/gpt-5-mini:free', 'openai/gpt-5-mini'],
  ['gemini-3-flash-preview', 'gemini-3-flash'],
  ['models/gemini-2.5-flash', 'gemini-2.5-flash'],
  ['gemini-2.0-flash-001', 'gemini-2.0-flash'],
  ['gemini-flash-latest', 'gemini-3.8-flash'],
  ['openrouter/auto', 'anthropic/claude-opus-4.7'],
])('%s is answered by %s, which is itself', (asked, reported) => {
  expect(isAnotherModel(asked, reported)).toBe(false);
});

test.each([
  ['gemini-2.5-pro', 'gemini-3.8-flash'],
  ['gemini-2.5-flash', 'gemini-3.5-flash-lite'],
  ['claude-opus-4-7', 'claude-opus-4-8'],
  ['gpt-5.1', 'gpt-5'],
  ['openai/o1', 'openai/o3'],
  ['gpt-5-mini', 'gpt-5-2025-08-07'],
])('%s is answered by %s, which is another model', (asked, reported) => {
  expect(isAnotherModel(asked, reported)).toBe(true);
});
