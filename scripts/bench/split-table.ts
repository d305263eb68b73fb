import truncate from 'cli-truncate';
import { type Column, plainTable, textWidth } from './plain-table';

/** A column that says what it shows of a row. */
export interface ValueColumn<Row> extends Column {
  value(row: Row): string;
  /** What it is wrapped at where there is no room; left out: it keeps its width. */
  tightWidth?: number;
}

/** Enough of a label, cut in its middle, to tell it from others. */
const COMFORTABLE_LABEL = 24;
const SHORTEST_LABEL = 12;

/**
 * One table where it fits the terminal; else several of the same rows, each with the label, which is cut in its middle.
 * Nothing else is left out.
 * @param columns the first part has all up to the label and one more; each later one the label and one more, at least
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
  const cut = (some: readonly ValueColumn<Row>[], longest: number) =>
    render(some.map((column) => (column === label ? cutLabel(label, longest) : tightened(column))));
  const widthOf = (some: readonly ValueColumn<Row>[], longest: number) => textWidth(cut(some, longest));
  const longest = Math.max(label.name.length, ...rows.map((row) => label.value(row).length));
  const tables = splitColumns(
    columns,
    label,
    (some) => widthOf(some, Math.min(longest, COMFORTABLE_LABEL)) <= width,
  );
  const room = Math.min(...tables.map((some) => longest - Math.max(0, widthOf(some, longest) - width)));
  return tables.map((some) => cut(some, Math.max(SHORTEST_LABEL, room))).join('\n\n');
}

/** As many columns a table as fit. */
function splitColumns<Row>(
  columns: readonly ValueColumn<Row>[],
  label: ValueColumn<Row>,
  fits: (some: readonly ValueColumn<Row>[]) => boolean,
): ValueColumn<Row>[][] {
  const tables: ValueColumn<Row>[][] = [];
  let current: ValueColumn<Row>[] = [];
  for (const column of columns) {
    const hasMore = current.indexOf(label) >= 0 && current.at(-1) !== label;
    if (hasMore && !fits([...current, column])) {
      tables.push(current);
      current = [label];
    }
    current.push(column);
  }
  return [...tables, current];
}

function cutLabel<Row>(label: ValueColumn<Row>, longest: number): ValueColumn<Row> {
  return { ...label, value: (row) => truncate(label.value(row), longest, { position: 'middle' }) };
}

function tightened<Row>(column: ValueColumn<Row>): ValueColumn<Row> {
  return column.tightWidth === undefined ? column : { ...column, maxWidth: column.tightWidth };
}
