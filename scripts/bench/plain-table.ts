import { breakLines } from './break-lines';
import { padToWidth, textWidth } from './text-width';

export interface Column {
  name: string;
  align?: 'left' | 'right';
  /** Widest it may get; what is longer is wrapped at its words, and a longer word is broken. */
  maxWidth?: number;
}

/** A table without lines: columns two blanks apart, under their names. */
export function plainTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  bold: (text: string) => string,
): string {
  const table = [
    columns.map(({ name }) => [bold(name)]),
    ...rows.map((row) => columns.map(({ maxWidth }, i) => wrapped(row[i] ?? '', maxWidth))),
  ];
  const widths = columns.map((_, i) => Math.max(...table.flatMap((row) => row[i]!.map(textWidth))));
  return table
    .flatMap((row) =>
      Array.from({ length: Math.max(...row.map((lines) => lines.length)) }, (_, line) =>
        row
          .map((lines, i) => padToWidth(lines[line] ?? '', widths[i]!, columns[i]?.align))
          .join('  ')
          .trimEnd(),
      ),
    )
    .join('\n');
}

/** The lines of a cell; indented ones stay indented. */
function wrapped(cell: string, limit = Number.POSITIVE_INFINITY): string[] {
  if (textWidth(cell) <= limit) return cell.split('\n');
  const indent = ' '.repeat(cell.length - cell.trimStart().length);
  return breakLines(cell.trimStart(), limit - indent.length).map((line) => `${indent}${line}`);
}
