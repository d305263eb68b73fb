import { Parser } from 'htmlparser2';
import type { Section } from './findings';
import { superscript } from './strict-xml';

/**
 * Text of an HTML fragment: headings become labels, blocks become lines, `<sup>5</sup>` becomes `⁵`, scripts and the
 * like vanish. What only looks like a tag (`p<LOD`) stays as it was written.
 */
export function markupSections(html: string): Section[] {
  const writer = new SectionWriter();
  const parser: Parser = new Parser(
    {
      onopentag: (name) => {
        if (!KNOWN_TAGS.has(name)) writer.text(html.slice(parser.startIndex, parser.endIndex + 1));
        else writer.open(name);
      },
      onclosetag: (name, isImplied) => {
        if (!KNOWN_TAGS.has(name))
          writer.text(isImplied ? '' : html.slice(parser.startIndex, parser.endIndex + 1));
        else writer.close(name);
      },
      ontext: (text) => writer.text(text),
    },
    { decodeEntities: true },
  );
  parser.end(html);
  return writer.end();
}

/** The same on one line, for titles. */
export function markupLine(html: string): string {
  return markupSections(html)
    .map(({ label, text }) => (label ? `${label} ${text}` : text))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
}

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
const INLINE = new Set(
  (
    'a abbr acronym b bdi bdo big cite code col colgroup data del dfn em font i img input ins kbd label link mark meta ' +
    'math mi mn mo mrow msub msup msubsup mfrac mtext q rp rt ruby s samp small source span strike strong sub sup td ' +
    'th time tt u var video audio wbr picture canvas center area map nobr main option optgroup textarea semantics'
  ).split(' '),
);
const KNOWN_TAGS = new Set([...HEADINGS, ...SILENT, ...BLOCKS, ...INLINE]);

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
