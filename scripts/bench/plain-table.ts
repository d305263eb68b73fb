import { stripVTControlCharacters } from 'node:util';
import Table from 'cli-table3';
import { breakLines } from './break-lines';

export interface Column {
  name: string;
  align?: 'left' | 'right';
  /** Widest it may get; what is longer is wrapped at its words, and a longer word is broken. */
  maxWidth?: number;
}

const NO_LINES = Object.fromEntries(
  ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right']
    .concat(['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'])
    .map((name) => [name, '']),
);

/** A table without lines: columns two blanks apart, under their names. */
export function plainTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  bold: (text: string) => string,
): string {
  const limits = columns.map(({ maxWidth }, i) =>
    maxWidth !== undefined && widest(rows, i) > maxWidth ? maxWidth : null,
  );
  const table = new Table({
    chars: { ...NO_LINES, middle: '  ' },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
    colAligns: columns.map(({ align }) => align ?? 'left'),
    colWidths: limits,
    head: columns.map(({ name }) => bold(name)),
  });
  table.push(...rows.map((row) => row.map((cell, i) => wrapped(cell, limits[i] ?? null))));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

/** The table's own wrapping cuts a word that is longer than its column. */
function wrapped(cell: string, limit: number | null): string {
  if (limit === null || textWidth(cell) <= limit) return cell;
  const indent = ' '.repeat(cell.length - cell.trimStart().length);
  return breakLines(cell.trimStart(), limit - indent.length)
    .map((line) => `${indent}${line}`)
    .join('\n');
}

/** Columns the text takes on a terminal, at its widest line. */
export function textWidth(text: string): number {
  return Math.max(
    ...stripVTControlCharacters(text)
      .split('\n')
      .map((line) => line.length),
  );
}

function widest(rows: readonly (readonly string[])[], column: number): number {
  return Math.max(0, ...rows.map((row) => textWidth(row[column] ?? '')));
}
