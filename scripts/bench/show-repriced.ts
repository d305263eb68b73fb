import type { PriceTable } from '../../core/prices';
import { costText, usdText } from '../../core/report/figure-text';
import { type RepricedLine, repriceCalls } from '../../core/reprice';
import { readBilledCalls } from '../../db/cost-lines';
import { findPriceTable } from '../../presets';
import { UsageError } from '../cli-error';
import { withBenchRows } from './bench-connection';
import { findBenchId } from './find-bench';
import { printJson } from './print-result';
import { splitTable, type ValueColumn } from './split-table';
import { coloursFor, widthOf } from './terminal';
import { hangingLines } from './wrapped-text';

/**
 * Prints what a bench's answered calls would have cost by another table. Nothing is written.
 * @throws UsageError for a table that does not exist
 */
export async function showRepriced(
  text: string,
  { tableName, isJson }: { tableName: string; isJson: boolean },
): Promise<void> {
  const table = findTable(tableName);
  await withBenchRows(async ({ db }) => {
    const benchId = await findBenchId(db, text);
    const calls = await readBilledCalls(db, benchId);
    const lines = repriceCalls(
      calls.map(({ label, kind, ...call }) => ({
        ...call,
        who: label ?? (kind === 'probe' ? 'checks' : 'judge'),
      })),
      table,
    );
    if (isJson) {
      printJson({ benchId, table: table.name, asOf: table.asOf, lines });
      return;
    }
    printLines(benchId, table, lines);
  });
}

/** @throws UsageError when there is none of this name */
export function findTable(name: string): PriceTable {
  try {
    return findPriceTable(name);
  } catch (error) {
    throw new UsageError({
      reason: (error as Error).message,
      remedy: 'co-scientist prices names the tables',
    });
  }
}

function printLines(benchId: string, table: PriceTable, lines: RepricedLine[]): void {
  const { bold } = coloursFor(process.stdout);
  const width = widthOf(process.stdout);
  const usd = (amount: number | null): string => (amount === null ? 'unknown' : usdText(amount));
  const label: ValueColumn<RepricedLine> = { name: 'who', value: ({ who }) => who };
  const missing: ValueColumn<RepricedLine> = {
    name: '',
    tightWidth: 24,
    value: (line) => (line.missing.length > 0 ? `no price for ${line.missing.join(', ')}` : ''),
  };
  const columns: ValueColumn<RepricedLine>[] = [
    label,
    { name: 'calls', align: 'right', value: ({ calls }) => String(calls) },
    {
      name: 'booked',
      align: 'right',
      value: ({ bookedUsd, nUnknownCost }) =>
        costText({ costUsd: bookedUsd ?? 0, nUnknownCost, inDoubtUsd: 0 }),
    },
    { name: `by ${table.name}`, align: 'right', value: ({ repricedUsd }) => usd(repricedUsd) },
    ...(lines.some((line) => line.missing.length > 0) ? [missing] : []),
  ];
  const head = hangingLines(`${bold(benchId)} at the prices of ${table.asOf}`, width).join('\n');
  process.stdout.write(`${head}\n\n${splitTable(columns, lines, { label, width, bold })}\n`);
}
