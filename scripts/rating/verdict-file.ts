import { CsvError } from 'csv-parse/sync';
import { type CsvRecord, readCsvRecords } from '../../activities/csv-records';
import type { VerdictRow } from '../../core/ratings/rate-rows';
import { rowProblems } from '../../core/ratings/row-problems';
import { countText } from '../../core/report/figure-text';
import { quotedText } from '../bench/text-width';
import { UsageError } from '../cli-error';

/** A file of verdicts: RFC 4180 with a header; the names stand in any case and order. */
const COLUMNS = {
  left: 'left',
  right: 'right',
  winner: 'winner',
  cluster: 'cluster',
  leftGroup: 'left_group',
  rightGroup: 'right_group',
} as const;

type Column = keyof typeof COLUMNS;
const REQUIRED: readonly Column[] = ['left', 'right', 'winner'];
const WINNERS: readonly string[] = ['left', 'right', 'tie'] satisfies VerdictRow['winner'][];
/** Of more problems only the count is told: nobody mends so many by hand. */
const QUOTED_COLUMNS = 60;
const MOST_TOLD = 1000;
const REMEDY =
  'columns: left, right, winner (left, right or tie); optional: cluster, left_group, right_group; see docs/guide/ratings.md';

export interface VerdictFile {
  rows: VerdictRow[];
  /** Columns that say nothing to us, by their names. */
  unread: string[];
}

/**
 * Reads a file of verdicts; empty lines do not count, and an empty optional cell is none.
 * @param name of the file, for messages
 * @throws UsageError with every row that cannot be rated, by the line it begins on
 */
export function readVerdicts(name: string, bytes: Uint8Array): VerdictFile {
  const [header, ...records] = parseCsv(name, decode(name, bytes));
  if (header === undefined) throw refusal(name, ['line 1: the file is empty; it needs a header']);
  const { places, unread, problems: badHeader } = readHeader(header);
  if (badHeader.length > 0) throw refusal(name, badHeader);
  if (records.length === 0) throw refusal(name, [`line ${header.line}: no verdict follows the header`]);
  const read = records.map((record) => readRecord(record, places, header.cells.length));
  const whole = read.flatMap(({ row, line }) => (row === null ? [] : [{ row, line }]));
  const rows = whole.map(({ row }) => row);
  const problems = [
    ...read.flatMap(({ line, problems: own }) => own.map((problem) => ({ line, problem }))),
    ...rowProblems(rows).map(({ row, problem }) => ({ line: whole[row]!.line, problem })),
  ].sort((one, other) => one.line - other.line);
  if (problems.length > 0) {
    throw refusal(
      name,
      problems.map(({ line, problem }) => `line ${line}: ${problem}`),
    );
  }
  return { rows, unread };
}

function decode(name: string, bytes: Uint8Array): string {
  try {
    // By default the decoder drops one byte-order mark.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refusal(name, ['the file is not UTF-8']);
  }
}

function parseCsv(name: string, text: string): CsvRecord[] {
  try {
    return readCsvRecords(text, { relaxColumnCount: true, trim: true });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw refusal(name, [`line ${String(error.lines)}: not CSV: ${error.message}`]);
  }
}

interface Header {
  places: Partial<Record<Column, number>>;
  unread: string[];
  problems: string[];
}

function readHeader({ cells, line }: CsvRecord): Header {
  const names = cells.map((cell) => cell.toLowerCase().replace(/[\s-]+/g, '_'));
  const places: Header['places'] = {};
  const problems: string[] = [];
  for (const column of Object.keys(COLUMNS) as Column[]) {
    const name = COLUMNS[column];
    const found = names.flatMap((one, place) => (one === name ? [place] : []));
    if (found.length > 1) problems.push(`line ${line}: ${found.length} columns are named ${name}`);
    else if (found.length === 1) places[column] = found[0]!;
    else if (REQUIRED.includes(column)) problems.push(`line ${line}: no column is named ${name}`);
  }
  if (problems.length > 0)
    problems.push(
      `line ${line}: it names ${cells.map((cell) => quotedText(cell, QUOTED_COLUMNS)).join(', ')}`,
    );
  const used = new Set(Object.values(places));
  return { places, unread: cells.filter((_, place) => !used.has(place)), problems };
}

function readRecord(
  { cells, line }: CsvRecord,
  places: Header['places'],
  width: number,
): { line: number; row: VerdictRow | null; problems: string[] } {
  if (cells.length !== width) {
    const count = countText(cells.length, 'cell');
    return { line, row: null, problems: [`${count}, where the header has ${width}`] };
  }
  const cell = (column: Column) => (places[column] === undefined ? '' : cells[places[column]!]!);
  const winner = cell('winner').toLowerCase();
  const problems = (['left', 'right'] as const)
    .filter((column) => cell(column) === '')
    .map((column) => `${column} is empty`);
  if (!WINNERS.includes(winner)) {
    problems.push(`winner is ${quotedText(cell('winner'), QUOTED_COLUMNS)}, not left, right or tie`);
  }
  if (problems.length > 0) return { line, row: null, problems };
  const row: VerdictRow = {
    left: cell('left'),
    right: cell('right'),
    winner: winner as VerdictRow['winner'],
  };
  for (const column of ['cluster', 'leftGroup', 'rightGroup'] as const) {
    if (cell(column) !== '') row[column] = cell(column);
  }
  return { line, row, problems };
}

function refusal(name: string, problems: readonly string[]): UsageError {
  const count = countText(problems.length, 'problem');
  const told = problems.slice(0, MOST_TOLD);
  if (problems.length > MOST_TOLD) told.push(`and ${problems.length - MOST_TOLD} more`);
  return new UsageError({ reason: `${name}: ${count}; nothing was rated`, problems: told, remedy: REMEDY });
}
