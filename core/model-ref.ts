import { type Parsed, quote } from './problem-text';

/** A model as its provider names it. */
export interface ModelRef {
  provider: string;
  model: string;
}

const MAX_MODEL_CHARACTERS = 200;

/**
 * Reads `provider:model`. The provider ends at the first `:`; the rest is the model, which may hold `:` and
 * `/` (`openrouter:google/gemma-3:free`) and `@` followed by a digit (`claude@20250514`), but may not end in
 * any other `@word`: that is where a candidate's mode stands.
 */
export function parseModelRef(text: string): Parsed<ModelRef> {
  const colon = text.indexOf(':');
  if (colon < 0) return { problems: [`no provider in ${quote(text)} (write provider:model)`] };
  const ref = { provider: text.slice(0, colon), model: text.slice(colon + 1) };
  const problems = modelRefProblems(ref, text);
  const mode = trailingWord(ref.model);
  if (mode !== null)
    problems.push(`a mode, ${quote(`@${mode}`)}, has no place in ${quote(text)} (write provider:model)`);
  return problems.length > 0 ? { problems } : { value: ref };
}

/** `parseModelRef` reads it back. */
export function formatModelRef({ provider, model }: ModelRef): string {
  return `${provider}:${model}`;
}

/** What is wrong with a provider and a model as names, apart from a trailing `@word`. */
export function modelRefProblems({ provider, model }: ModelRef, text: string): string[] {
  const problems: string[] = [];
  if (provider === '') problems.push(`no provider in ${quote(text)} (write provider:model)`);
  if (model === '') problems.push(`no model in ${quote(text)} (write provider:model)`);
  if (/[\s\p{Cc}\p{Cs}]/u.test(model))
    problems.push(`white space or control characters in the model of ${quote(text)}`);
  if (model.length > MAX_MODEL_CHARACTERS) {
    problems.push(
      `a model of ${model.length} characters in ${quote(text)} (at most ${MAX_MODEL_CHARACTERS})`,
    );
  }
  return problems;
}

/**
 * The word after a trailing `@`, which is never part of a model; null where there is none. What begins with a
 * digit is a version, what holds a `/` or `:` a path (`@cf/meta/llama-3`): both belong to the model.
 */
export function trailingWord(model: string): string | null {
  return /@((?!\d)[^@/:]*)$/.exec(model)?.[1] ?? null;
}
