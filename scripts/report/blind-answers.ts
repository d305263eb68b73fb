import { readFileSync } from 'node:fs';
import { type CsvRecord, readCsvRecords } from '../../activities/csv-records';
import type { BlindKey } from '../../activities/reporting/blind/blind-key';
import type { Shown } from '../../core/report/blind-sample';
import { countText } from '../../core/report/figure-text';
import { quotedText } from '../bench/text-width';
import { UsageError } from '../cli-error';
import { unreadable } from '../readable-file';

const QUOTED_COLUMNS = 40;
const REMEDY = 'each row needs its item and an answer: left, right, tie, or nothing where it was not judged';

/**
 * Answers of a filled-in sheet by item; rows without an answer are left out. Tables as spreadsheets save them are
 * read too: with a byte order mark, with semicolons or tabs.
 * @throws UsageError with every row that cannot be read, each by its line
 */
export function readBlindAnswers(path: string, key: BlindKey): Map<number, Shown> {
  const { header, rows } = parseTable(path);
  const [item, answer, sample] = ['item', 'answer', 'sample'].map((name) => header.indexOf(name));
  if (item === -1 || answer === -1) {
    throw new UsageError({
      reason: `${path} has no column ${item === -1 ? 'item' : 'answer'}: its first line is ${quotedText(header.join(', '), 120)}`,
      remedy: 'give a table that export --blind wrote, or the page saved, with its first line',
    });
  }
  const answers = new Map<number, Shown>();
  const lineOf = new Map<number, number>();
  const problems: string[] = [];
  for (const { line, cells } of rows) {
    const row = readRow(
      cells[item!] ?? '',
      cells[answer!] ?? '',
      sample === -1 ? key.sample : cells[sample!],
      key,
    );
    if (typeof row === 'string') problems.push(`line ${line}: ${row}`);
    else if (lineOf.has(row.item)) {
      problems.push(`line ${line}: item ${row.item} stands on line ${lineOf.get(row.item)} already`);
    } else {
      lineOf.set(row.item, line);
      if (row.answer !== null) answers.set(row.item, row.answer);
    }
  }
  if (problems.length > 0) {
    throw new UsageError({
      reason: `${path}: ${countText(problems.length, 'row')} cannot be read`,
      problems,
      remedy: REMEDY,
    });
  }
  return answers;
}

const ANSWERS: Readonly<Record<string, Shown>> = {
  ...{ left: 'left', l: 'left', right: 'right', r: 'right' },
  ...{ tie: 'tie', t: 'tie', neither: 'tie', equal: 'tie' },
};

/** A row, or what is wrong with it. */
function readRow(
  itemText: string,
  answerText: string,
  sample: string | undefined,
  key: BlindKey,
): { item: number; answer: Shown | null } | string {
  if (sample?.trim() !== key.sample) {
    return `of the sample ${quotedText(sample ?? '', QUOTED_COLUMNS)}, and the key is that of ${key.sample}`;
  }
  const item = Number(itemText);
  if (itemText.trim() === '' || !key.items.some((one) => one.item === item)) {
    return `item ${quotedText(itemText, QUOTED_COLUMNS)} is none of 1 to ${key.items.length}`;
  }
  const word = answerText.trim().toLowerCase();
  if (word === '') return { item, answer: null };
  const answer = Object.hasOwn(ANSWERS, word) ? ANSWERS[word] : undefined;
  return answer
    ? { item, answer }
    : `item ${item}: the answer ${quotedText(answerText, QUOTED_COLUMNS)} is none of left, right, tie`;
}

interface Table {
  header: string[];
  rows: CsvRecord[];
}

function parseTable(path: string): Table {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw unreadable(path, error, 'name the table that somebody has filled in');
  }
  const [first = ''] = text.split(/\r?\n/);
  const delimiter = [',', ';', '\t'].find((one) => first.split(one).length > 1) ?? ',';
  try {
    const [head, ...rest] = readCsvRecords(text, { bom: true, delimiter, relaxColumnCount: true });
    return {
      header: (head?.cells ?? []).map((name) => name.trim().toLowerCase()),
      rows: rest.filter(({ cells }) => cells.some((cell) => cell.trim() !== '')),
    };
  } catch (error) {
    throw new UsageError({ reason: `${path} is no table: ${(error as Error).message}`, remedy: REMEDY });
  }
}
