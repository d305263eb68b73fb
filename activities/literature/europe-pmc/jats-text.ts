import type { Element } from '@xmldom/xmldom';
import type { Section } from '../findings';
import { child, children, localName, mixedText, parseXml, textOf } from '../strict-xml';

/**
 * Abstract and body of a JATS article, with their headings. References, figures' graphics and formulae's TeX are left
 * out; captions, tables and MathML stay, also as one of several forms of the same thing (`alternatives`).
 * @returns null when the article has no body, which is how a publisher forbids it
 * @throws SourceFailure `unreadable`
 */
export function readJats(text: string): Section[] | null {
  const root = parseXml(text);
  const article = localName(root) === 'article' ? root : child(root, 'article');
  const body = child(article, 'body');
  if (!body) return null;
  const abstracts = children(child(article, 'front', 'article-meta'), 'abstract').map((abstract) =>
    readSection(abstract, 'Abstract'),
  );
  return [...abstracts.flat(), ...readSection(body, null)];
}

/** Text before the first subsection, then the subsections; a heading below a heading keeps both. */
function readSection(element: Element, label: string | null): Section[] {
  const own = children(element)
    .filter((part) => !['sec', 'title', 'label'].includes(localName(part)))
    .map(blockText)
    .filter((text) => text !== '')
    .join('\n');
  const inner = children(element, 'sec').flatMap((section) => {
    const title = textOf(child(section, 'title'));
    return readSection(section, [label, title].filter((part) => part !== null).join(' – ') || null);
  });
  return own === '' ? inner : [{ label, text: own }, ...inner];
}

const SKIPPED = ['ref-list', 'graphic', 'inline-graphic', 'media', 'tex-math', 'object-id', 'fn-group'];
const LINE_BREAKING = [
  'p',
  'list',
  'list-item',
  'tr',
  'caption',
  'title',
  'disp-quote',
  'fig',
  'table-wrap',
  'boxed-text',
];

/** One line a paragraph, list item or table row. */
function blockText(element: Element): string {
  if (SKIPPED.includes(localName(element))) return '';
  const blocks = children(element).filter(
    (part) => LINE_BREAKING.includes(localName(part)) || holdsLines(part),
  );
  if (blocks.length === 0) return cellsText(element);
  const loose = mixedText(element, [...SKIPPED, ...blocks.map(localName)])
    .replace(/\s+/g, ' ')
    .trim();
  return [loose, ...blocks.map(blockText)].filter((text) => text !== '').join('\n');
}

function holdsLines(element: Element): boolean {
  return ['table', 'tbody', 'thead', 'tfoot', 'sec', 'alternatives'].includes(localName(element));
}

function cellsText(element: Element): string {
  const cells = children(element, 'td', 'th');
  const text =
    cells.length > 0
      ? cells.map((cell) => mixedText(cell, SKIPPED)).join(' | ')
      : mixedText(element, SKIPPED);
  return text.replace(/\s+/g, ' ').trim();
}
