import { plainText } from '../plain-text';

/** Markup that is safe to put into a page as it stands. Made by `html` alone, and by those who draw or compress. */
export class Markup {
  constructor(readonly text: string) {}
}

export type Content = Markup | string | number | null | undefined | readonly Content[];

/**
 * Markup with everything put into it escaped, unless it is markup already: no text of a model can become an element
 * or an attribute, wherever it stands (attributes are always quoted).
 * @example html`<td title="${note}">${label}</td>`
 */
export function html(parts: TemplateStringsArray, ...contents: Content[]): Markup {
  let text = parts[0]!;
  contents.forEach((content, i) => {
    text += writeContent(content) + parts[i + 1]!;
  });
  return new Markup(text);
}

/** For text that is markup by its maker's word: a drawing, a style sheet. */
export function trusted(text: string): Markup {
  return new Markup(text);
}

function writeContent(content: Content): string {
  if (content instanceof Markup) return content.text;
  if (content === null || content === undefined) return '';
  if (typeof content === 'object') return content.map(writeContent).join('');
  return escapeText(String(content));
}

/** Most of what a page holds: labels, figures, prose in ASCII without a mark to escape. */
const HARMLESS = /^[ !#-%(-;=?-~\n]*$/;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeText(text: string): string {
  if (HARMLESS.test(text)) return text;
  return plainText(text).replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
