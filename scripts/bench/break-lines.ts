import wrapAnsi from 'wrap-ansi';

/** A figure and the unit after it are read as one. */
const BEFORE_UNIT = /(?<=\d) (?=%)/g;
const HELD = '\u00a0';

/**
 * A text in lines of so many columns: broken at its blanks, and a word that is longer than a line within it, so that
 * nothing is left out. A blank before `%` is no place to break.
 */
export function breakLines(text: string, room: number): string[] {
  return wrapAnsi(text.replace(BEFORE_UNIT, HELD), room, { hard: true })
    .split('\n')
    .map((line) => line.replace(/(?<=\d)\u00a0(?=%)/g, ' '));
}
