import { stripVTControlCharacters } from 'node:util';
import { firstCharacters } from '../../core/first-characters';

/**
 * A text from a model or a server, safe to show anywhere: escape sequences of terminals are taken out; control
 * characters and those that reorder or hide text become U+FFFD. Line breaks stay; joiners stay, as scripts need them.
 */
export function plainText(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/\r\n?|[\u2028\u2029\u0085\v\f]/g, '\n')
    .replace(UNSAFE, '\ufffd');
}

/** The same on one line. */
export function plainLine(text: string): string {
  return plainText(text).replace(/\s+/g, ' ').trim();
}

/** Controls but tab and line feed, lone surrogates, bidi controls and what has no width. */
const UNSAFE =
  /[^\P{Cc}\t\n]|[\p{Cs}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

/** A text of at most so many characters; what is cut off is counted. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = firstCharacters(text, most);
  return `${kept}… (${text.length - kept.length} more characters)`;
}
