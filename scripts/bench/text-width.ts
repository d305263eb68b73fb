import truncate from 'cli-truncate';
import stringWidth from 'string-width';
import { printable } from './printable';

/**
 * Columns a text takes on a terminal, at its widest line: two for an ideograph or an emoji, none for an accent that is
 * set on a letter, a joiner or an escape sequence.
 */
export function textWidth(text: string): number {
  return Math.max(...text.split('\n').map((line) => stringWidth(line)));
}

/** A line filled up with blanks to so many columns; a longer one stays. */
export function padToWidth(line: string, width: number, align: 'left' | 'right' = 'left'): string {
  const blanks = ' '.repeat(Math.max(0, width - textWidth(line)));
  return align === 'left' ? `${line}${blanks}` : `${blanks}${line}`;
}

/** A line of at most so many columns, with `…` for what is left out; no letter, emoji or colour is cut in two. */
export function cutToWidth(line: string, width: number, position: 'middle' | 'end' = 'end'): string {
  let cut = line;
  // The library counts half of a letter of two columns as one: it may need another try.
  for (let room = width; textWidth(cut) > width; room--) cut = truncate(line, room, { position });
  return cut;
}

/** Foreign text as JSON writes it, of so many columns at most, to be shown in an error. */
export function quotedText(text: string, most: number): string {
  return JSON.stringify(cutToWidth(printable(text), most));
}
