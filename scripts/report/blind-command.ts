import { join, resolve } from 'node:path';
import { writeBlindKey } from '../../activities/reporting/blind/blind-key';
import { blindCsv, blindPage } from '../../activities/reporting/blind/blind-sheet';
import { writeFileWhole } from '../../activities/reporting/write-file';
import { formatModelRef } from '../../core/model-ref';
import { type BlindSample, blindSample, CLOSENESS } from '../../core/report/blind-sample';
import { countText } from '../../core/report/figure-text';
import { readRecordedBench, readSnapshot } from '../../db/export-reads';
import { withBenchRows } from '../bench/bench-connection';
import { findBenchId } from '../bench/find-bench';
import { printJson } from '../bench/print-result';
import { CliError } from '../cli-error';
import { noBenchNamed } from './export-command';

/**
 * Writes a blind sample of a bench's matches: a sheet as page and as table, and its key in a file of its own.
 * @throws UsageError without a bench; CliError when there is none, or no match of it was played
 */
export async function blindCommand(
  text: string | null,
  count: number,
  { to, isJson }: { to: string | null; isJson: boolean },
): Promise<void> {
  if (text === null) throw noBenchNamed(true);
  await withBenchRows(async ({ db, stack }) => {
    const benchId = await findBenchId(db, text);
    const record = await readSnapshot(db, (snapshot) => readRecordedBench(snapshot, benchId));
    const sample = blindSample(record, count);
    if (sample.items.length === 0) {
      throw new CliError({
        reason: `bench ${benchId}: no match between its own hypotheses was played, so there is nothing to judge again`,
        remedy: `co-scientist show ${benchId} says why`,
      });
    }
    const folder = resolve(to ?? join(stack.home, 'blind'));
    const files = {
      page: join(folder, `${benchId}-blind.html`),
      table: join(folder, `${benchId}-blind.csv`),
      key: join(folder, `${benchId}-blind-key.json`),
    };
    writeFileWhole(files.page, blindPage(record, sample));
    writeFileWhole(files.table, blindCsv(record, sample));
    const { isSimulated: simulated, judges } = record.run.plan;
    writeFileWhole(files.key, writeBlindKey(sample, { simulated, judges: judges.map(formatModelRef) }));
    if (isJson) printJson({ benchId, matches: sample.items.length, ...files });
    else process.stdout.write(blindText(sample, files));
  });
}

function blindText(
  { items }: BlindSample,
  { page, table, key }: Record<'page' | 'table' | 'key', string>,
): string {
  const kinds = CLOSENESS.map(
    (kind) => `${items.filter(({ closeness }) => closeness === kind).length} ${kind}`,
  );
  return [
    page,
    table,
    `${key} (keep it from those who judge)`,
    `${countText(items.length, 'match', 'matches')}: ${kinds.join(', ')}; a filled-in table is read by: co-scientist agree FILE.csv --key ${key}`,
    '',
  ].join('\n');
}
