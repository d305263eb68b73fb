import { stripVTControlCharacters } from 'node:util';

/**
 * Text from a model or a server, made harmless for a terminal and put on one line: escape sequences are taken out;
 * other control characters, and those that reorder or hide text, become U+FFFD.
 */
export function printable(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu, '\ufffd')
    .trim();
}
