import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { DEFAULT_ROW_OPTIONS, findRatingMethod, RATING_METHODS } from '../../core/rating-methods';
import type { RowRating, RowRatings } from '../../core/ratings/rate-rows';
import { countText, eloText, NONE, rankText } from '../../core/report/figure-text';
import { printJson } from '../bench/print-result';
import { printable } from '../bench/printable';
import { splitTable, type ValueColumn } from '../bench/split-table';
import { coloursFor, widthOf } from '../bench/terminal';
import { hangingLines } from '../bench/wrapped-text';
import { UsageError } from '../cli-error';
import { requireFile, unreadable } from '../readable-file';
import { together } from '../together';
import { readVerdicts } from './verdict-file';

export interface RateOptions {
  method: string;
  k?: string;
  start?: string;
  json?: true;
}

/**
 * Rates a file of verdicts and prints the ratings, best first.
 * @param path `-` for stdin
 * @throws UsageError for options or rows that cannot be right, all of them at once
 */
export async function rateFile(path: string, options: RateOptions): Promise<void> {
  const [{ method, k, start }] = await checkRate(path, options);
  const { rows, unread } = readVerdicts(path === '-' ? 'stdin' : path, await readBytes(path));
  if (unread.length > 0) note(`not read: ${unread.map(printable).join(', ')}`);
  const rated = method.rate(rows, { ...DEFAULT_ROW_OPTIONS, k, start });
  if (options.json) {
    const { settings, ratings, groups } = rated;
    printJson({ clustered: settings.clustered, settings, ratings, groups });
    return;
  }
  process.stdout.write(ratedText(rated));
}

/** @throws UsageError with everything wrong with options and path */
export function checkRate(path: string, options: RateOptions) {
  return together(
    () => readOptions(options),
    () => (path === '-' ? undefined : requireFile('the file', path)),
  );
}

function readOptions({ method: name, k, start }: RateOptions) {
  const problems: string[] = [];
  const method = findRatingMethod(name);
  if (method === null) {
    const known = RATING_METHODS.map((one) => one.name).join(' or ');
    problems.push(`--method: ${JSON.stringify(name)} is not ${known}`);
  }
  const values = {
    k: numberOf('--k', k ?? DEFAULT_ROW_OPTIONS.k, (value) => value > 0, 'a number above 0', problems),
    start: numberOf('--start', start ?? DEFAULT_ROW_OPTIONS.start, Number.isFinite, 'a number', problems),
  };
  if (method === null || problems.length > 0) {
    throw new UsageError({
      reason: `${countText(problems.length, 'option is', 'options are')} wrong`,
      problems,
      remedy: 'see `co-scientist rate --help`',
    });
  }
  if (method.name !== 'elo' && (k ?? start) !== undefined)
    note('--k and --start say nothing to Bradley–Terry');
  return { method, ...values };
}

function numberOf(
  flag: string,
  text: string | number,
  isRight: (value: number) => boolean,
  rule: string,
  problems: string[],
): number {
  const value = String(text).trim() === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(value) || !isRight(value)) {
    problems.push(`${flag}: ${JSON.stringify(text)} is not ${rule}`);
  }
  return value;
}

async function readBytes(path: string): Promise<Uint8Array> {
  if (path === '-') {
    if (process.stdin.isTTY) note('reading from the terminal; end with Ctrl-D');
    return buffer(process.stdin);
  }
  try {
    return await readFile(path);
  } catch (error) {
    throw unreadable(path, error, 'name a file that can be read, or - for stdin');
  }
}

function note(text: string): void {
  process.stderr.write(`${coloursFor(process.stderr).yellow('note:')} ${text}\n`);
}

function ratedText(rated: RowRatings): string {
  const { settings, ratings, groups } = rated;
  const parts = [table('item', ratings, settings)];
  if (groups !== null) parts.push(table('group', groups, settings));
  return [
    ...parts,
    `${settingLines(rated)
      .flatMap((line) => hangingLines(line, widthOf(process.stdout)))
      .join('\n')}\n`,
  ].join('\n\n');
}

function table(
  what: string,
  ratings: readonly RowRating[],
  { method, isTooManyForIntervals }: RowRatings['settings'],
): string {
  const label: ValueColumn<RowRating> = { name: what, value: ({ item }) => printable(item) || NONE };
  const none = isTooManyForIntervals ? NONE : 'too few';
  const intervals: ValueColumn<RowRating>[] = [
    {
      name: '95 %',
      align: 'right',
      value: ({ low, high }) =>
        low === null || high === null ? none : `${eloText(low)} to ${eloText(high)}`,
    },
    { name: 'ranks', align: 'right', value: ({ rankLow, rankHigh }) => rankText(rankLow, rankHigh) },
  ];
  const columns: ValueColumn<RowRating>[] = [
    label,
    { name: 'rating', align: 'right', value: ({ rating }) => eloText(rating) },
    ...(method === 'elo' ? [] : intervals),
  ];
  const { bold } = coloursFor(process.stdout);
  return splitTable(columns, ratings, { label, width: widthOf(process.stdout), bold });
}

function settingLines({ settings, groups }: RowRatings): string[] {
  const { method, rows, clustered, estimand, isTooManyForIntervals, prior, k, start } = settings;
  const verdicts = countText(rows, 'verdict');
  if (method === 'elo')
    return [`${verdicts}; sequential Elo in the order of the rows, K ${k}, start ${start}`];
  const lines = [`${verdicts}; Bradley–Terry, mean 1000; 95 %: each alone; ranks: those not ruled out`];
  lines.push(
    estimand === 'fresh_hypothesis'
      ? 'intervals carry the differences between the texts of an item'
      : `items are rated as the very texts they are${groups === null ? '' : '; groups by a typical item of theirs'}`,
  );
  if (isTooManyForIntervals) lines.push('more than 2,000 items: no intervals are made');
  if (!clustered) {
    lines.push(
      'no column cluster: rows count as independent; where several judge one match, intervals are too narrow',
    );
  }
  if (prior !== null) {
    lines.push(
      `somebody won or lost everything, so there is no finite maximum: a virtual tie of weight ${prior.weight} was added to each`,
    );
  }
  return lines;
}
