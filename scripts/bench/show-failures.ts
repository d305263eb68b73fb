import { type FailureLine, readFailures } from '../../db/failure-lines';
import { withBenchRows } from './bench-connection';
import { findBenchId } from './find-bench';
import { plainTable } from './plain-table';
import { printJson } from './print-result';
import { printable } from './printable';
import { coloursFor } from './terminal';

/** Prints all that failed in a bench: nothing of it was scored. */
export async function showFailures(text: string, { isJson }: { isJson: boolean }): Promise<void> {
  await withBenchRows(async ({ db }) => {
    const benchId = await findBenchId(db, text);
    const lines = await readFailures(db, benchId);
    if (isJson) {
      printJson({ benchId, failures: lines });
      return;
    }
    if (lines.length === 0) {
      process.stdout.write(`${benchId}: nothing failed\n`);
      return;
    }
    const { bold } = coloursFor(process.stdout);
    const columns = [
      { name: 'what' },
      { name: 'kind' },
      { name: 'where' },
      { name: 'attempt', align: 'right' as const },
      { name: 'HTTP', align: 'right' as const },
      { name: 'request id' },
      { name: 'detail', maxWidth: 60 },
    ];
    process.stdout.write(
      `${plainTable(
        columns,
        lines.map((line) => failureRow(benchId, line)),
        bold,
      )}\n`,
    );
  });
}

function failureRow(benchId: string, line: FailureLine): string[] {
  return [
    line.what,
    line.kind,
    line.place.replace(`${benchId}/`, ''),
    line.attempt === null ? '' : String(line.attempt),
    line.httpStatus === null ? '' : String(line.httpStatus),
    printable(line.requestId ?? ''),
    printable(line.detail ?? ''),
  ];
}
