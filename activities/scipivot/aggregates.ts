import { CsvError } from 'csv-parse/sync';
import type { AggregateRow, PrintedShare } from '../../core/scipivot/aggregate-row';
import { type CsvRecord, readCsvRecords } from '../csv-records';
import { decodeUtf8 } from './json-document';
import { FileRefused, ProblemList } from './refusal';

/**
 * The assumption about the released `all_model_scores.csv`, which was not at hand: RFC 4180 with a header and
 * these columns, each under one of these names (case, spaces and hyphens do not matter). Other columns are
 * read over.
 */
const COLUMNS = {
  model: ['model', 'model_name', 'model_id'],
  condition: ['condition', 'setting', 'context', 'context_condition'],
  effort: ['effort', 'reasoning_effort', 'thinking_effort'],
  nCorrect: ['correct', 'n_correct', 'correct_runs'],
  nRuns: ['n_runs', 'runs', 'n_total', 'total_runs'],
  nParsed: ['n_parsed', 'parsed', 'parsed_runs', 'n_parsed_runs', 'n_valid', 'n_answered'],
  nCases: ['n_cases', 'cases', 'n_questions'],
  accuracy: ['accuracy', 'run_accuracy', 'acc'],
  caseAccuracy: ['case_accuracy', 'case_acc', 'mean_case_accuracy', 'case_mean'],
  parsedAccuracy: ['parsed_accuracy', 'parsed_only_accuracy', 'accuracy_parsed', 'accuracy_parsed_only'],
} as const;

type Column = keyof typeof COLUMNS;
const OPTIONAL: readonly Column[] = ['effort', 'nCases', 'accuracy', 'parsedAccuracy'];

export interface Aggregates {
  rows: AggregateRow[];
  /** The file's own name for each column that was read. */
  columns: Partial<Record<Column, string>>;
  leftBehind: string[];
}

/**
 * Reads a release's aggregate scores.
 * @throws FileRefused with line and column for a missing or repeated column, a row of another width, a cell
 *   that is not the count or share its column needs, or a second row for one model and condition
 */
export function readAggregates(bytes: Uint8Array): Aggregates {
  const problems = new ProblemList('aggregates');
  const [header, ...records] = parseCsv(decodeUtf8('aggregates', bytes));
  if (header === undefined) throw new FileRefused('aggregates', ['line 1: a header'], 1);
  const names = header.cells.map((name) => name.trim());
  const columns = findColumns(names, problems);
  problems.throwIfAny();
  const cell = (record: CsvRecord, column: Column) => {
    const name = columns[column];
    return name === undefined ? null : record.cells[names.indexOf(name)]!.trim();
  };
  const percentages = new Set(
    SHARES.filter((column) => records.some((record) => isPercentage(cell(record, column)))),
  );
  const rows = records.map((record) => {
    const tell = (column: Column, rule: string) =>
      problems.add(`line ${record.line}: ${columns[column]}: ${rule}`);
    const text = (column: Column) => readName(cell(record, column), column, tell);
    const count = (column: Column) => readCount(cell(record, column), column, tell);
    const share = (column: Share) => readShare(cell(record, column), column, percentages.has(column), tell);
    return {
      line: record.line,
      model: text('model') ?? '',
      condition: text('condition') ?? '',
      effort: cell(record, 'effort'),
      nCorrect: count('nCorrect') ?? 0,
      nRuns: count('nRuns') ?? 0,
      nParsed: count('nParsed') ?? 0,
      nCases: count('nCases'),
      accuracy: share('accuracy'),
      caseAccuracy: share('caseAccuracy') ?? { value: 0, tolerance: 0 },
      parsedAccuracy: share('parsedAccuracy'),
    };
  });
  tellRepeats(rows, problems);
  problems.throwIfAny();
  const used: string[] = Object.values(columns);
  return { rows, columns, leftBehind: names.filter((name) => !used.includes(name)).sort() };
}

type Share = 'accuracy' | 'caseAccuracy' | 'parsedAccuracy';
const SHARES: readonly Share[] = ['accuracy', 'caseAccuracy', 'parsedAccuracy'];
type TellCell = (column: Column, rule: string) => void;

function parseCsv(text: string): CsvRecord[] {
  try {
    return readCsvRecords(text);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new FileRefused(
      'aggregates',
      [`line ${String(error.lines)}: not CSV with one width: ${error.code}`],
      1,
    );
  }
}

function findColumns(names: readonly string[], problems: ProblemList): Partial<Record<Column, string>> {
  const normal = names.map((name) => name.toLowerCase().replace(/[\s-]+/g, '_'));
  const columns: Partial<Record<Column, string>> = {};
  for (const column of Object.keys(COLUMNS) as Column[]) {
    const known: readonly string[] = COLUMNS[column];
    const found = names.filter((_, i) => known.includes(normal[i]!));
    if (found.length > 1) problems.add(`line 1: one column of ${known.join(', ')}, not ${found.length}`);
    else if (found.length === 1) columns[column] = found[0]!;
    else if (!OPTIONAL.includes(column)) problems.add(`line 1: a column under one of ${known.join(', ')}`);
  }
  return columns;
}

function readName(text: string | null, column: Column, tell: TellCell): string | null {
  if (text === '') tell(column, 'not empty');
  return text;
}

function readCount(text: string | null, column: Column, tell: TellCell): number | null {
  if (text === null) return null;
  // A count may be printed as a float (`316.0`), as data frames with gaps do it.
  if (/^\d{1,9}(\.0+)?$/.test(text)) return Number(text);
  tell(column, 'a whole number of at most nine digits');
  return null;
}

/** A share says that it is a percentage by its sign, and its column by any value above 1. */
function isPercentage(text: string | null): boolean {
  return text !== null && (text.endsWith('%') || Number(text) > 1);
}

function readShare(
  text: string | null,
  column: Share,
  isPercent: boolean,
  tell: TellCell,
): PrintedShare | null {
  if (text === null) return null;
  const match = /^(\d{1,3}(?:\.(\d{1,20}))?)\s*%?$/.exec(text);
  const scale = isPercent ? 100 : 1;
  const value = Number(match?.[1] ?? Number.NaN) / scale;
  if (!(value <= 1)) {
    tell(column, isPercent ? 'a percentage from 0 to 100' : 'a share from 0 to 1');
    return null;
  }
  return { value, tolerance: 0.5 / 10 ** (match![2]?.length ?? 0) / scale };
}

function tellRepeats(rows: readonly AggregateRow[], problems: ProblemList): void {
  const seen = new Map<string, number>();
  for (const { line, model, condition, effort } of rows) {
    const name = JSON.stringify([model, condition, effort]);
    const before = seen.get(name);
    if (before !== undefined)
      problems.add(`line ${line}: model, condition and effort: stand on line ${before} already`);
    else seen.set(name, line);
  }
}
