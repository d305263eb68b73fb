import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { CSV_TABLES } from '../../../activities/reporting/csv/csv-tables';
import { csvText, writeCsvTables } from '../../../activities/reporting/csv/write-csv';
import { sqlQueries } from '../../../activities/reporting/markdown/sql-queries';
import type { MadeUpBench } from '../../../scripts/made-up/made-up-bench';
import { madeUp } from '../../core/report/made-up';
import { hostileReason, hostileRecord } from './hostile-texts';

let bench: MadeUpBench;
let folder: string;
let tables: Record<string, Record<string, string>[]>;
beforeAll(async () => {
  bench = await madeUp({ reword: hostileRecord, reason: hostileReason });
  folder = mkdtempSync(join(tmpdir(), 'csv-'));
  const records = async function* () {
    yield bench.record;
  };
  const written = await writeCsvTables(records(), folder);
  tables = Object.fromEntries(
    written.map(({ path, rows }) => {
      const parsed = parse(readFileSync(path, 'utf8'), { columns: true }) as Record<string, string>[];
      expect(parsed).toHaveLength(rows);
      return [path.slice(folder.length + 1), parsed];
    }),
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

test('six tables: 1 run, 4 candidates, 12 hypotheses, 24 matches, 48 verdicts, 72 calls', () => {
  const counts = Object.fromEntries(Object.entries(tables).map(([name, rows]) => [name, rows.length]));
  expect(counts).toEqual({
    'runs.csv': 1,
    'candidates.csv': 4,
    'hypotheses.csv': 12,
    'matches.csv': 24,
    'verdicts.csv': 48,
    'calls.csv': 72,
  });
});

/** One apostrophe less, where there is one. */
const asWritten = (cell: string | undefined) => cell?.replace(/^'/, '');

test('hostile texts come back from another parser as they were, and lists as JSON', () => {
  for (const [i, { record }] of bench.record.hypotheses.entries()) {
    const row = tables['hypotheses.csv']![i]!;
    expect(asWritten(row.title)).toBe(record!.title);
    expect(asWritten(row.full_text)).toBe(record!.fullText);
    expect(JSON.parse(row.entities!)).toEqual(record!.entities);
  }
  const verdicts = bench.record.matches.flatMap((match) => match.verdicts);
  expect(tables['verdicts.csv']!.map(({ rationale }) => asWritten(rationale))).toEqual(
    verdicts.map(({ rationale }) => rationale),
  );
});

test('the winner by side follows from the place and the order', () => {
  for (const { order, winner_position, winner } of tables['verdicts.csv']!) {
    const isFirst = winner_position === 'first';
    const expected = winner_position === 'tie' ? 'tie' : isFirst === (order === 'ab') ? 'a' : 'b';
    expect(winner).toBe(expected);
  }
});

test('what is unknown is an empty cell, never a zero', () => {
  expect(csvText([[null, 0, '', false]])).toBe(',0,"",false\n');
});

test('no cell of any table is a formula to a spreadsheet; numbers below zero stay numbers', () => {
  for (const cell of Object.values(tables)
    .flat()
    .flatMap(Object.values<string>)) {
    expect(cell).not.toMatch(/^[=+\-@\t\r\n]/);
  }
  expect(csvText([['=1+1', '-1', "'", -1.5, 'a=b']])).toBe('"\'=1+1","\'-1","\'\'",-1.5,"a=b"\n');
});

test('any cells come back in their places, but for one apostrophe in front', () => {
  const text = fc.string({ unit: 'binary' }).map((value) => value.toWellFormed());
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text), { minLength: 1 }), (rows) => {
      const read = (parse(csvText(rows)) as string[][]).map((row) => row.map(asWritten));
      expect(read).toEqual(rows);
    }),
  );
});

const guide = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'guide', 'reports.md'), 'utf8');

test('the guide has the queries of the page of results, which a test of that page runs', () => {
  for (const { title, sql } of sqlQueries('bnc_…')) {
    expect(guide).toContain(`${title}:\n\n\`\`\`sql\n${sql.join('\n')}\n\`\`\``);
  }
});

test('the guide lists every column of every table, in order', () => {
  for (const { name, columns } of CSV_TABLES) {
    const section = guide.split(`### ${name}.csv`)[1]!.split('\n### ')[0]!;
    const listed = [...section.matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1]);
    expect(listed).toEqual(columns.map((column) => column.name));
  }
});
