import { cutText, plainText } from '../../activities/reporting/plain-text';
import { breakLines } from './break-lines';
import { textWidth } from './text-width';

/** Lines longer than this are hard to read, however wide the terminal. */
const MAX_WIDTH = 100;
/** What a terminal is given of one text; the whole of it is in the artifacts and on the page. */
const MAX_CHARACTERS = 20_000;

/**
 * A text from a model, harmless for a terminal, in lines that fit it: paragraphs stay, long words are broken, very long
 * texts are cut and say by how much.
 * @param width of the terminal
 */
export function wrappedLines(text: string, width: number, indent = '  '): string[] {
  const room = Math.max(20, Math.min(MAX_WIDTH, width) - indent.length);
  const shown = cutText(plainText(text).replaceAll('\t', '  ').trim(), MAX_CHARACTERS);
  return breakLines(shown, room).map((line) => `${indent}${line}`.trimEnd());
}

/**
 * A line of ours that may be too long for the terminal: what comes over stands two columns further in, long words are
 * broken; where there is no edge it stays.
 * @param width of the terminal
 */
export function hangingLines(line: string, width: number): string[] {
  if (textWidth(line) <= width) return [line];
  const indent = ' '.repeat(line.length - line.trimStart().length);
  const room = Math.max(20, Math.min(MAX_WIDTH, width) - indent.length - 2);
  return breakLines(line.trim(), room).map((part, i) => `${indent}${i > 0 ? '  ' : ''}${part}`);
}

/** Less room beside a head is none. */
const LEAST_BESIDE = 24;

/**
 * A line of ours with a head, or below one, whose text goes on below itself; where it has no room there, it hangs. A long word, an
 * address say, stays whole to be copied.
 * @param width of the terminal
 */
export function besideHead(head: string, text: string, width: number): string[] {
  const room = width - textWidth(head);
  if (room < LEAST_BESIDE) return hangingLines(`${head.trim() === '' ? '  ' : head}${text}`, width);
  if (textWidth(text) <= room) return [`${head}${text}`];
  const indent = ' '.repeat(textWidth(head));
  return breakLines(text, room, 'whole').map((line, i) => `${i === 0 ? head : indent}${line}`);
}
