import { plainTable } from './plain-table';
import { padToWidth, textWidth } from './text-width';

const INDENT = '  ';
/** Lines longer than this are hard to read, however wide the terminal. */
const MAX_TEXT = 100;

/** Named facts, indented under what they are about: names in one column, their text wrapped in the other. */
export function block(rows: readonly (readonly [name: string, text: string])[], width: number): string {
  const parts: string[] = [];
  const nameWidth = Math.max(...rows.map(([name]) => textWidth(name)));
  for (const [name, text] of rows) {
    const isWhole = name === ''; // prose about all of it takes the whole width
    const left = isWhole ? 0 : nameWidth + 2;
    const maxWidth = Math.max(20, Math.min(MAX_TEXT, width - INDENT.length - left));
    const lines = plainTable([{ name: '', maxWidth }], [[text]], (head) => head)
      .split('\n')
      .filter((line) => line !== '');
    parts.push(...lines.map((line, i) => `${padToWidth(isWhole || i > 0 ? '' : name, left)}${line}`));
  }
  return parts.map((line) => `${INDENT}${line}`).join('\n');
}
