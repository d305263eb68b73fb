import { type Options, parse } from 'csv-parse/sync';

/** A row of somebody's CSV file. */
export interface CsvRecord {
  /** The line it begins on, from 1. */
  line: number;
  cells: string[];
}

/**
 * The rows of a CSV text (RFC 4180), its header too; empty lines are left out. Lines may end in `\n`, `\r\n` or `\r`, and
 * do so in `\n` inside of cells.
 * @param how the text departs from that: its delimiter, say, or that a row may be shorter than the header
 * @throws CsvError of csv-parse where it cannot be read
 */
export function readCsvRecords(text: string, how: Omit<Options, 'info'> = {}): CsvRecord[] {
  // The parser counts a `\r\n` inside of quotes as two lines where it is told of several line ends.
  const parsed = parse(text.replace(/\r\n?/g, '\n'), {
    recordDelimiter: '\n',
    skipEmptyLines: true,
    ...how,
    info: true,
  });
  // The package's types leave out what `info` adds.
  return (parsed as unknown as { record: string[]; info: { lines: number } }[]).map(({ record, info }) => ({
    line: info.lines - lineBreaks(record),
    cells: record,
  }));
}

/** Those inside of quoted cells: the parser counts the line a record ends on. */
function lineBreaks(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + (cell.match(/\n/g)?.length ?? 0), 0);
}
