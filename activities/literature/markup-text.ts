import { Parser } from 'htmlparser2';
import type { Section } from './findings';
import { superscript } from './strict-xml';

/**
 * Text of an HTML page: headings become labels, blocks become lines, `<sup>5</sup>` becomes `⁵`, scripts and the like
 * vanish.
 */
export function pageSections(html: string): Section[] {
  const writer = new SectionWriter();
  const parser = new Parser(
    {
      onopentag: (name) => writer.open(name),
      onclosetag: (name) => writer.close(name),
      ontext: (text) => writer.text(text),
    },
    { decodeEntities: true },
  );
  parser.end(html);
  return writer.end();
}

/**
 * The same for an abstract or a snippet with a few tags in it. What only looks like a tag (`p<LOD`) stays as it was
 * written; a parser would swallow all that follows it.
 */
export function fragmentSections(fragment: string): Section[] {
  return pageSections(fragment.replace(NO_TAG, '&lt;'));
}

/** The same on one line, for titles. */
export function fragmentLine(fragment: string): string {
  return fragmentSections(fragment)
    .map(({ label, text }) => (label ? `${label} ${text}` : text))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** `<` that begins none of the tags that abstracts and snippets use. */
const NO_TAG =
  /<(?!\/?(?:a|b|bold|br|code|div|em|font|h[1-6]|i|italic|li|ol|p|sc|small|span|strong|sub|sup|table|tbody|td|th|thead|tr|tt|u|ul|jats:[a-z]+|mml:[a-z]+)(?:\s+[\w:-]+\s*=[^<>]*|\s*\/?)>)/gi;

const HEADINGS = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6']);
const SILENT = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'iframe',
  'object',
  'head',
  'select',
  'button',
]);
const BLOCKS = new Set(
  (
    'address article aside blockquote body br caption center dd details dialog div dl dt fieldset figcaption figure ' +
    'footer form header hgroup hr html legend li main nav ol p pre section summary table tbody tfoot thead title tr ul'
  ).split(' '),
);
/** Collects text as it streams by. */
class SectionWriter {
  readonly #sections: Section[] = [];
  #label: string | null = null;
  #text = '';
  #heading: string | null = null;
  #superscript: string | null = null;
  #silentDepth = 0;

  open(name: string): void {
    if (SILENT.has(name)) this.#silentDepth++;
    else if (HEADINGS.has(name)) this.#startHeading();
    else if (name === 'sup') this.#superscript = '';
    else if (BLOCKS.has(name)) this.text('\n');
    else if (name === 'td' || name === 'th') this.text(' ');
  }

  close(name: string): void {
    if (SILENT.has(name)) this.#silentDepth = Math.max(0, this.#silentDepth - 1);
    else if (HEADINGS.has(name)) this.#endHeading();
    else if (name === 'sup') this.#endSuperscript();
    else if (BLOCKS.has(name)) this.text('\n');
  }

  text(text: string): void {
    if (this.#silentDepth > 0) return;
    if (this.#superscript !== null) this.#superscript += text;
    else if (this.#heading !== null) this.#heading += text;
    else this.#text += text;
  }

  end(): Section[] {
    this.#endSuperscript();
    if (this.#heading !== null) this.#endHeading();
    this.#endSection();
    return this.#sections;
  }

  #startHeading(): void {
    this.#endSuperscript();
    this.#endSection();
    this.#heading = '';
  }

  #endHeading(): void {
    this.#endSuperscript();
    if (this.#heading === null) return;
    const label = this.#heading.replace(/\s+/g, ' ').replace(/:\s*$/, '').trim();
    this.#heading = null;
    this.#label = label || null;
  }

  #endSuperscript(): void {
    if (this.#superscript === null) return;
    const raised = superscript(this.#superscript);
    this.#superscript = null;
    this.text(raised);
  }

  #endSection(): void {
    const text = this.#text
      .replace(/[^\S\n]+/g, ' ')
      .replace(/ ?\n ?/g, '\n')
      .replace(/\n{2,}/g, '\n')
      .trim();
    // A heading with nothing below it still says something: it may be the text.
    if (text !== '' || this.#label !== null)
      this.#sections.push({ label: text ? this.#label : null, text: text || (this.#label ?? '') });
    this.#label = null;
    this.#text = '';
  }
}
