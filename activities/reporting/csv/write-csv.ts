import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import type { RecordedBench } from '../../../core/report/recorded-bench';
import { writeFileWhole } from '../write-file';
import { type Cell, CSV_TABLES } from './csv-tables';

export interface WrittenTable {
  path: string;
  /** Without the header. */
  rows: number;
}

/** One file a table, whole, over all the benches given. */
export async function writeCsvTables(
  records: AsyncIterable<RecordedBench>,
  folder: string,
): Promise<WrittenTable[]> {
  const parts = CSV_TABLES.map(({ columns }) => ({
    text: [csvText([columns.map(({ name }) => name)])],
    rows: 0,
  }));
  for await (const record of records) {
    CSV_TABLES.forEach(({ cells }, i) => {
      const rows = cells(record);
      parts[i]!.text.push(csvText(rows));
      parts[i]!.rows += rows.length;
    });
  }
  return CSV_TABLES.map(({ name }, i) => {
    const path = join(folder, `${name}.csv`);
    writeFileWhole(path, parts[i]!.text.join(''));
    return { path, rows: parts[i]!.rows };
  });
}

/**
 * RFC 4180 with line feeds; every text is quoted, so that none is taken for a number or ends a row. A text that a
 * spreadsheet would run as a formula, or that begins with an apostrophe, gets an apostrophe in front: who takes one off
 * where there is one has the text as it was.
 */
export function csvText(rows: readonly (readonly Cell[])[]): string {
  return stringify(rows as Cell[][], {
    quoted_string: true,
    cast: { boolean: String, string: (text) => text.replace(FORMULA, "'$&") },
  });
}

/** OWASP, "CSV Injection"; full-width forms are taken for their ASCII by some programs. */
const FORMULA = /^['=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
