import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type BlindKey, blindKeySchema } from '../../activities/reporting/blind/blind-key';
import type { Interval } from '../../core/ratings/interval';
import type { Proportion } from '../../core/ratings/wilson';
import { countText, kappaText, NONE, shareText } from '../../core/report/figure-text';
import { type HumanAgreement, humanAgreement } from '../../core/report/human-agreement';
import { printJson } from '../bench/print-result';
import { printable } from '../bench/printable';
import { splitTable, type ValueColumn } from '../bench/split-table';
import { coloursFor, widthOf } from '../bench/terminal';
import { hangingLines } from '../bench/wrapped-text';
import { UsageError } from '../cli-error';
import { readTextFile, requireFile } from '../readable-file';
import { together } from '../together';
import { readBlindAnswers } from './blind-answers';

/**
 * Prints how far a person's answers and the judge's agree.
 * @throws UsageError when table or key cannot be read, with every bad row; or when no row has an answer
 */
export async function agreeCommand(
  path: string,
  { keyPath, isJson }: { keyPath: string | null; isJson: boolean },
): Promise<void> {
  const [, key] = await together(
    () => requireFile('the table', path),
    () => readKey(keyPath ?? keyBeside(path)),
  );
  const answers = readBlindAnswers(path, key);
  if (answers.size === 0) {
    throw new UsageError({
      reason: `${path}: no row has an answer`,
      remedy: 'write left, right or tie into the column answer',
    });
  }
  const agreement = humanAgreement(key, answers);
  const { benchId, judges, simulated } = key;
  if (isJson) printJson({ benchId, judges, simulated, ...agreement });
  else process.stdout.write(agreementText(agreement, key));
}

/** Named like the table. */
function keyBeside(path: string): string {
  const key = join(dirname(path), basename(path).replace(/(\.csv)?$/i, '-key.json'));
  if (existsSync(key)) return key;
  throw new UsageError({
    reason: `there is no key ${key}`,
    remedy: 'name the file that export --blind wrote beside the sheet: --key FILE-blind-key.json',
  });
}

function readKey(path: string): BlindKey {
  const text = readTextFile('--key', path);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError({
      reason: `the key ${path} cannot be read: ${(error as Error).message}`,
      remedy: 'name the file that export --blind wrote: --key FILE-blind-key.json',
    });
  }
  const result = blindKeySchema.safeParse(value);
  if (result.success) return result.data;
  throw new UsageError({
    reason: `${path} is no key of a blind sample`,
    problems: result.error.issues.slice(0, 10).map(({ path: at, message }) => `${at.join('.')}: ${message}`),
    remedy: 'export the sample again: the same bench gives the same',
  });
}

function agreementText(agreement: HumanAgreement, { benchId, judges, simulated }: BlindKey): string {
  const { judged, of } = agreement;
  const { bold } = coloursFor(process.stdout);
  const width = widthOf(process.stdout);
  return [
    ...hangingLines(
      `${bold(benchId)}${simulated ? ' · simulated' : ''} · judge ${judges.map(printable).join(', ')}`,
      width,
    ),
    `${judged} of ${countText(of, 'match', 'matches')} judged`,
    '',
    splitTable(AGREEMENT_COLUMNS, agreementRows(agreement), { label: WHAT, width, bold }),
    '',
  ].join('\n');
}

type AgreementRow = [what: string, matches: string, figure: string, interval: string];

const WHAT: ValueColumn<AgreementRow> = {
  name: 'person and judge say',
  tightWidth: 20,
  value: ([what]) => what,
};

const AGREEMENT_COLUMNS: readonly ValueColumn<AgreementRow>[] = [
  WHAT,
  { name: 'matches', align: 'right', value: ([, matches]) => matches },
  { name: '', align: 'right', value: ([, , figure]) => figure },
  { name: '95 %', value: ([, , , interval]) => interval },
];

function agreementRows({
  judged,
  same,
  sameSide,
  kappa,
  byCloseness,
  weighted,
}: HumanAgreement): AgreementRow[] {
  return [
    ['the same of left, right and tie', ...cells(same)],
    ['the same side, where both name one', ...cells(sameSide)],
    ...byCloseness
      .filter(({ available }) => available > 0)
      .map(
        ({ closeness, available, same: ofKind }): AgreementRow => [
          `  matches the judge was ${WORDS[closeness]} (${available} in the bench)`,
          ...cells(ofKind),
        ],
      ),
    [
      'the same, weighted as the bench has them',
      '',
      shareText(weighted?.share ?? null, judged),
      rangeOf(weighted?.interval ?? null, (value) => shareText(value, judged)),
    ],
    ['Cohen’s κ over left, right and tie', '', kappaText(kappa.value), rangeOf(kappa.interval, kappaText)],
  ];
}

const WORDS = { clear: 'clear on', close: 'torn on', flipped: 'turned round on by their order' } as const;

function cells({ count, of, share, interval }: Proportion): [string, string, string] {
  const write = (value: number) => shareText(value, of);
  return [`${count} of ${of}`, share === null ? NONE : write(share), rangeOf(interval, write)];
}

function rangeOf(interval: Interval | null, write: (value: number) => string): string {
  return interval === null ? NONE : `${write(interval.low)} to ${write(interval.high)}`;
}
