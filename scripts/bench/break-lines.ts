import wrapAnsi from 'wrap-ansi';

/** A figure and the unit after it are read as one, and so are a letter and what it is: `p = .167`. */
const INSIDE_FIGURE = /(?<=\d) (?=%)| (?==)|(?<==) /g;
const HELD = '\u00a0';
const HELD_INSIDE = /(?<=\d)\u00a0(?=%)|\u00a0(?==)|(?<==)\u00a0/g;

/**
 * A text in lines of so many columns: broken at its blanks, and a word that is longer than a line within it, so that
 * nothing is left out. A blank before `%`, or beside `=`, is no place to break.
 * @param longWords `whole`: a word that is longer than a line stays as it is, to be copied
 */
export function breakLines(text: string, room: number, longWords: 'broken' | 'whole' = 'broken'): string[] {
  return wrapAnsi(text.replace(INSIDE_FIGURE, HELD), room, { hard: longWords === 'broken' })
    .split('\n')
    .map((line) => line.replace(HELD_INSIDE, ' '));
}
