import { type Column, plainTable } from './plain-table';
import { cutToWidth, textWidth } from './text-width';

/** A column that says what it shows of a row. */
export interface ValueColumn<Row> extends Column {
  value(row: Row): string;
  /** What it is wrapped at where there is no room; left out: it keeps its width. */
  tightWidth?: number;
}

/** Enough of a label, cut in its middle, to tell it from others. */
const COMFORTABLE_LABEL = 24;
const SHORTEST_LABEL = 12;
/** Of the terminal, for the label of a numbered row: its number tells it from others as well. */
const NUMBERED_LABEL_SHARE = 0.3;

/**
 * One table where it fits the terminal; else several of the same rows, each with the label, which is cut in its middle,
 * or wrapped where it has a tight width. Nothing else is left out but a column without a word in any row. Rows are
 * numbered, in each table alike, where the label alone does not tell them apart, or comes too late for the first table.
 * @param columns the first part has all up to the label and one more; each later one the label and one more, at least;
 *   of numbered rows one part may also end before the label or with it
 */
export function splitTable<Row>(
  columns: readonly ValueColumn<Row>[],
  rows: readonly Row[],
  { label, width, bold }: { label: ValueColumn<Row>; width: number; bold: (text: string) => string },
): string {
  const render = (some: readonly ValueColumn<Row>[]) =>
    plainTable(
      some,
      rows.map((row) => some.map((column) => column.value(row))),
      bold,
    );
  const whole = render(columns);
  if (textWidth(whole) <= width) return whole;
  const said = columns.filter((column) => rows.some((row) => column.value(row) !== ''));
  const cut = (some: readonly ValueColumn<Row>[], longest: number) =>
    render(some.map((column) => (column === label ? shortened(label, longest) : tightened(column))));
  const widthOf = (some: readonly ValueColumn<Row>[], longest: number) => textWidth(cut(some, longest));
  const first = said.slice(0, said.indexOf(label) + 2);
  const number = isShared(label, rows) || widthOf(first, SHORTEST_LABEL) > width ? [numberColumn(rows)] : [];
  const longest = Math.max(label.name.length, ...rows.map((row) => textWidth(label.value(row))));
  const comfortable =
    number.length === 0
      ? COMFORTABLE_LABEL
      : Math.min(COMFORTABLE_LABEL, Math.max(SHORTEST_LABEL, Math.floor(width * NUMBERED_LABEL_SHARE)));
  const fits = (some: readonly ValueColumn<Row>[]) =>
    widthOf([...number, ...some], Math.min(longest, comfortable)) <= width;
  const tables = splitColumns(said, label, fits, number.length > 0).map((some) => [...number, ...some]);
  const room = Math.min(...tables.map((some) => longest - Math.max(0, widthOf(some, longest) - width)));
  return tables.map((some) => cut(some, Math.max(SHORTEST_LABEL, room))).join('\n\n');
}

function isShared<Row>(label: ValueColumn<Row>, rows: readonly Row[]): boolean {
  const { value } = shortened(label, COMFORTABLE_LABEL);
  return new Set(rows.map(value)).size < rows.length;
}

/** Numbers from 1, in the order of the rows. */
export function numberColumn<Row>(rows: readonly Row[]): ValueColumn<Row> {
  const numbers = new Map(rows.map((row, i) => [row, String(i + 1)]));
  return { name: '#', align: 'right', value: (row) => numbers.get(row) ?? '' };
}

/** As many columns a table as fit. */
function splitColumns<Row>(
  columns: readonly ValueColumn<Row>[],
  label: ValueColumn<Row>,
  fits: (some: readonly ValueColumn<Row>[]) => boolean,
  isNumbered: boolean,
): ValueColumn<Row>[][] {
  const tables: ValueColumn<Row>[][] = [];
  let current: ValueColumn<Row>[] = [];
  for (const column of columns) {
    const hasLabel = current.includes(label);
    const mayEnd = isNumbered ? current.some((one) => one !== label) : hasLabel && current.at(-1) !== label;
    if (mayEnd && !fits([...current, column])) {
      tables.push(current);
      current = hasLabel ? [label] : [];
    }
    current.push(column);
  }
  return [...tables, current];
}

function shortened<Row>(label: ValueColumn<Row>, longest: number): ValueColumn<Row> {
  if (label.tightWidth !== undefined) return { ...label, maxWidth: Math.max(label.tightWidth, longest) };
  return { ...label, value: (row) => cutToWidth(label.value(row), longest, 'middle') };
}

function tightened<Row>(column: ValueColumn<Row>): ValueColumn<Row> {
  return column.tightWidth === undefined ? column : { ...column, maxWidth: column.tightWidth };
}
