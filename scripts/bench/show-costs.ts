import { readBudgets } from '../../db/budget-lines';
import { type CostLine, readCostLines } from '../../db/cost-lines';
import { withBenchRows } from './bench-connection';
import { findBenchId } from './find-bench';
import { formatCost, formatTokens, formatUsd } from './money';
import { plainTable } from './plain-table';
import { printJson } from './print-result';
import { coloursFor } from './terminal';

/** Prints a bench's ledger in sums: what was reported, what the table says, and what is not known. */
export async function showCosts(text: string, { isJson }: { isJson: boolean }): Promise<void> {
  await withBenchRows(async ({ db }) => {
    const benchId = await findBenchId(db, text);
    const lines = await readCostLines(db, benchId);
    const budgets = await readBudgets(db, benchId);
    if (isJson) {
      printJson({ benchId, lines, budgets });
      return;
    }
    const { bold } = coloursFor(process.stdout);
    const caps = budgets.map(({ scope, capUsd, heldUsd, closedBy }) => [
      scope,
      capUsd === null ? 'none' : formatUsd(capUsd),
      formatUsd(heldUsd),
      closedBy ? `closed: ${closedBy} cost more than its bound` : '',
    ]);
    const right = 'right' as const;
    process.stdout.write(
      [
        bold(benchId),
        '',
        plainTable(
          [
            { name: 'who' },
            { name: 'purpose' },
            { name: 'model', maxWidth: 34 },
            { name: 'calls', align: right },
            { name: 'failed', align: right },
            { name: 'in doubt', align: right },
            { name: 'tokens in/out', align: right },
            { name: 'reported', align: right },
            { name: 'computed', align: right },
            { name: 'difference', align: right },
            { name: 'cost', align: right },
          ],
          lines.map(costRow),
          bold,
        ),
        '',
        plainTable(
          [{ name: 'scope' }, { name: 'cap', align: right }, { name: 'held', align: right }, { name: '' }],
          caps,
          bold,
        ),
        '',
      ].join('\n'),
    );
  });
}

function costRow(line: CostLine): string[] {
  const usd = (amount: number | null): string => (amount === null ? '–' : formatUsd(amount));
  return [
    line.label ?? (line.kind === 'probe' ? 'checks' : 'judge'),
    line.kind,
    `${line.provider}:${line.model}`,
    String(line.calls),
    String(line.failed),
    String(line.inDoubt),
    `${formatTokens(line.inputTokens)}/${formatTokens(line.outputTokens)}`,
    usd(line.reportedUsd),
    usd(line.computedUsd),
    line.differenceUsd === null ? '–' : signed(line.differenceUsd),
    formatCost(line),
  ];
}

function signed(usd: number): string {
  return `${usd < 0 ? '-' : '+'}${formatUsd(Math.abs(usd))}`;
}
