import { plainLine } from '../../activities/reporting/plain-text';
import { promptHashes, reportOptions } from '../../activities/reporting/report-options';
import { reportBench } from '../../core/report/bench-report';
import { methodsText } from '../../core/report/methods';
import type { Database } from '../../db/database';
import { readRecordedBench, readSnapshot } from '../../db/export-reads';
import { printJson } from './print-result';
import { wrappedLines } from './wrapped-text';

/** Prints the paragraph that a paper needs: wrapped where a person looks at it, else as one line. */
export async function showMethods(
  db: Database,
  benchId: string,
  { isJson }: { isJson: boolean },
): Promise<void> {
  const record = await readSnapshot(db, (snapshot) => readRecordedBench(snapshot, benchId));
  const report = reportBench(record, reportOptions());
  const text = plainLine(methodsText(report, promptHashes(report.plan)));
  if (isJson) {
    printJson({ benchId, methods: text });
    return;
  }
  const { isTTY, columns } = process.stdout;
  process.stdout.write(`${isTTY ? wrappedLines(text, columns, '').join('\n') : text}\n`);
}
