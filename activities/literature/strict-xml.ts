import { DOMParser, type Document, type Element, type Node } from '@xmldom/xmldom';
import { SourceFailure } from './failure';

/**
 * Parses well-formed XML only: cut, broken or undeclared parts are refused, since half a record read as a whole one
 * would be a false record.
 * @throws SourceFailure `unreadable`
 */
export function parseXml(text: string): Element {
  let document: Document;
  try {
    document = new DOMParser({
      // What xmldom only warns of (an attribute without quotes or value) is not well-formed either.
      onError: (_, message) => {
        throw new Error(message);
      },
    }).parseFromString(text.replace(/^\uFEFF/, ''), 'text/xml');
  } catch {
    throw new SourceFailure('unreadable', 'It is not well-formed XML.');
  }
  const root = document.documentElement;
  if (!root) throw new SourceFailure('unreadable', 'It is an empty XML document.');
  if (isTooDeep(root)) throw new SourceFailure('unreadable', 'It is nested too deeply.');
  return root;
}

/** No record comes near it, and whatever walks a tree of thousands runs out of stack. */
const MAX_DEPTH = 300;

function isTooDeep(root: Element): boolean {
  let level = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((element) => children(element));
  }
  return false;
}

/** Child elements with one of these local names, in document order; all of them without names. */
export function children(parent: Element | null, ...names: string[]): Element[] {
  if (!parent) return [];
  return Array.from(parent.childNodes).filter(
    (node): node is Element => isElement(node) && (names.length === 0 || names.includes(localName(node))),
  );
}

/** The first child at the end of a path of local names; null when any step is missing. */
export function child(parent: Element | null, ...path: string[]): Element | null {
  return path.reduce<Element | null>((at, name) => children(at, name)[0] ?? null, parent);
}

/** The text of an element in document order on one line; null when it is missing or empty. */
export function textOf(element: Element | null): string | null {
  if (!element) return null;
  const text = mixedText(element).replace(/\s+/g, ' ').trim();
  return text === '' ? null : text;
}

/** Without the children of these local names. */
export function mixedText(node: Node, skip: readonly string[] = []): string {
  return Array.from(node.childNodes)
    .map((part) => {
      if (!isElement(part))
        return part.nodeType === TEXT || part.nodeType === CDATA ? (part.nodeValue ?? '') : '';
      if (skip.includes(localName(part))) return '';
      return elementText(part, skip);
    })
    .join('');
}

/** Marks whose loss would make another number: `10<sup>5</sup>`, and MathML's powers and fractions. */
function elementText(element: Element, skip: readonly string[]): string {
  const name = localName(element);
  if (name === 'sup') return superscript(mixedText(element, skip));
  const [first, second, ...more] = name === 'msup' || name === 'mfrac' ? children(element) : [];
  if (!first || !second || more.length > 0) return mixedText(element, skip);
  const [lower, upper] = [elementText(first, skip), elementText(second, skip)];
  return name === 'msup' ? `${lower}${superscript(upper)}` : `${bracketed(lower)}/${bracketed(upper)}`;
}

function bracketed(term: string): string {
  const text = term.trim();
  return /^[\p{L}\p{N}.]*$/u.test(text) ? text : `(${text})`;
}

/** `10⁵` is not `105`: digits and signs become superscript characters, other words keep a `^`. */
export function superscript(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') return text;
  const raised = [...trimmed].map((character) => SUPERSCRIPTS[character]);
  return raised.every((character) => character !== undefined) ? raised.join('') : `^${text}`;
}

const SUPERSCRIPTS: Record<string, string> = {
  '0': '⁰',
  '1': '¹',
  '2': '²',
  '3': '³',
  '4': '⁴',
  '5': '⁵',
  '6': '⁶',
  '7': '⁷',
  '8': '⁸',
  '9': '⁹',
  '+': '⁺',
  '-': '⁻',
  '−': '⁻',
  '–': '⁻',
  ' ': ' ',
};

export function localName(element: Element): string {
  return element.localName ?? element.nodeName;
}

export function attribute(element: Element | null, name: string): string | null {
  return element?.getAttribute(name) ?? null;
}

const TEXT = 3;
const CDATA = 4;

function isElement(node: Node): node is Element {
  return node.nodeType === 1;
}
