/**
 * Whether an answer names another model than the one that was asked for. A maker that has shut a model down may route its
 * name to a newer one, at that one's price (ai.google.dev/gemini-api/docs/deprecations: `gemini-2.5-pro` is answered by
 * `gemini-3.8-flash`).
 *
 * Compared word by word, since names come back with dates, in another order (`anthropic/claude-4.5-haiku-20251001` of
 * `anthropic/claude-haiku-4.5`) or as what an alias stands for (`gpt-5.6-sol` of `gpt-5.6`): another model is one whose
 * name lacks a word of the asked one. A name that leaves the choice open (`…-latest`, `openrouter/auto`) has no other.
 */
export function isAnotherModel(asked: string, reported: string): boolean {
  const words = wordsOf(asked);
  if (words.includes('latest') || words[0] === 'openrouter') return false;
  const given = new Set(wordsOf(reported));
  return words.some((word) => !MEANINGLESS.test(word) && !given.has(word));
}

/** Dates, builds and stages: they come and go without making it another model. */
const MEANINGLESS = /^(?:\d{3,}|preview|exp|experimental|models|free|thinking|beta|extended|nitro|floor)$/;

function wordsOf(name: string): string[] {
  return name
    .toLowerCase()
    .split(/[-_/:@]+/)
    .filter((word) => word !== '');
}
