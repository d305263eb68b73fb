import { type Options, parse } from 'csv-parse/sync';

/** A row of somebody's CSV file. */
export interface CsvRecord {
  /** The line it begins on, from 1. */
  line: number;
  cells: string[];
}

/**
 * The rows of a CSV text (RFC 4180), its header too; empty lines are left out.
 * @param how it departs from that: its delimiter, say, or that a row may be shorter than the header
 * @throws CsvError of csv-parse where it cannot be read
 */
export function readCsvRecords(text: string, how: Omit<Options, 'info'> = {}): CsvRecord[] {
  const parsed = parse(text, {
    recordDelimiter: ['\r\n', '\n', '\r'],
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
  return cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\n|\r/g)?.length ?? 0), 0);
}
