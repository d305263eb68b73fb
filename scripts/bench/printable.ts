import { plainLine } from '../../activities/reporting/plain-text';

/**
 * Text from a model or a server, made harmless for a terminal and put on one line: escape sequences are taken out;
 * other control characters, and those that reorder or hide text, become U+FFFD; joiners stay.
 */
export function printable(text: string): string {
  return plainLine(text);
}
