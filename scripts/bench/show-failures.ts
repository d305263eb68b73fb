import { type FailureLine, readFailures } from '../../db/failure-lines';
import { withBenchRows } from './bench-connection';
import { findBenchId } from './find-bench';
import { printJson } from './print-result';
import { printable } from './printable';
import { splitTable, type ValueColumn } from './split-table';
import { coloursFor, widthOf } from './terminal';

/** Prints all that failed in a bench: nothing of it was scored. */
export async function showFailures(text: string, { isJson }: { isJson: boolean }): Promise<void> {
  await withBenchRows(async ({ db }) => {
    const benchId = await findBenchId(db, text);
    const failures = await readFailures(db, benchId);
    if (isJson) printJson({ benchId, failures });
    else if (failures.length === 0) process.stdout.write(`${benchId}: nothing failed\n`);
    else {
      const { bold } = coloursFor(process.stdout);
      process.stdout.write(`${failuresText(benchId, failures, { width: widthOf(process.stdout), bold })}\n`);
    }
  });
}

/** What a long text leaves to the rest of its row, where the terminal is narrow. */
const REST_WIDTH = 40;
const DETAIL_WIDTH = 60;
const REQUEST_WIDTH = 20;

/** One row a failure; where it was, without the bench's id. */
export function failuresText(
  benchId: string,
  failures: readonly FailureLine[],
  { width, bold }: { width: number; bold: (text: string) => string },
): string {
  const label: ValueColumn<FailureLine> = {
    name: 'where',
    value: ({ place }) => place.replace(`${benchId}/`, ''),
  };
  const tightWidth = Math.max(REQUEST_WIDTH, Math.min(DETAIL_WIDTH, width - REST_WIDTH));
  const columns: ValueColumn<FailureLine>[] = [
    { name: 'what', value: ({ what }) => what },
    { name: 'kind', value: ({ kind }) => kind },
    label,
    { name: 'attempt', align: 'right', value: ({ attempt }) => (attempt === null ? '' : String(attempt)) },
    {
      name: 'HTTP',
      align: 'right',
      value: ({ httpStatus }) => (httpStatus === null ? '' : String(httpStatus)),
    },
    { name: 'request id', tightWidth, value: ({ requestId }) => printable(requestId ?? '') },
    { name: 'detail', maxWidth: DETAIL_WIDTH, tightWidth, value: ({ detail }) => printable(detail ?? '') },
  ];
  return splitTable(columns, failures, { label, width, bold });
}
