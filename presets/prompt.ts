/** A prompt as data: lines with `{{placeholders}}`, a name, and a version that changes with its words. */
export interface Prompt {
  name: string;
  version: number;
  system: string[];
  user: string[];
}

export interface RenderedPrompt {
  /** Empty where the prompt speaks into a running conversation. */
  system: string;
  user: string;
}

/**
 * Fills the placeholders in one pass: what a value holds is never read as a placeholder, and where it holds one
 * of the prompt's own delimiters (`</first_hypothesis>`, `<review>`), that delimiter's `<` becomes `&lt;`, so
 * that no text can close its block. All else of a value is left as it is.
 *
 * @throws Error unless the values are exactly those the prompt asks for
 */
export function renderPrompt(prompt: Prompt, values: Readonly<Record<string, string>>): RenderedPrompt {
  const system = prompt.system.join('\n');
  const user = prompt.user.join('\n');
  const asked = placeholdersOf(system + user);
  const missing = asked.filter((name) => !Object.hasOwn(values, name));
  const unasked = Object.keys(values).filter((name) => !asked.includes(name));
  if (missing.length + unasked.length > 0) {
    throw new Error(
      `prompt ${prompt.name}: missing [${missing.join(', ')}], not asked for [${unasked.join(', ')}]`,
    );
  }
  const delimiters = delimiterPattern(system + user);
  const fill = (template: string) =>
    template.replace(PLACEHOLDER, (_, name: string) => neutralise(values[name]!, delimiters));
  return { system: fill(system), user: fill(user) };
}

const PLACEHOLDER = /\{\{([a-z_]+)\}\}/g;

function placeholdersOf(template: string): string[] {
  return [...new Set([...template.matchAll(PLACEHOLDER)].map((match) => match[1]!))];
}

/** Every tag the template writes, opening or closing, however a text may space or case it. */
function delimiterPattern(template: string): RegExp | null {
  const tags = new Set([...template.matchAll(/<\/?([a-z_]+)>/g)].map((match) => match[1]!));
  return tags.size > 0 ? new RegExp(`<(?=[\\s/]*(?:${[...tags].join('|')})(?![a-z0-9_]))`, 'gi') : null;
}

function neutralise(value: string, delimiters: RegExp | null): string {
  return delimiters ? value.replace(delimiters, '&lt;') : value;
}
