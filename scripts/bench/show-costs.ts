import type { BenchPlan } from '../../core/bench-plan';
import { costText, NONE, tokensText, usdText } from '../../core/report/figure-text';
import { findBench } from '../../db/benches';
import { type BudgetLine, readBudgets } from '../../db/budget-lines';
import { type CostLine, readCostLines } from '../../db/cost-lines';
import { withBenchRows } from './bench-connection';
import { simulationWords } from './describe-plan';
import { findBenchId } from './find-bench';
import { printJson } from './print-result';
import { splitTable, type ValueColumn } from './split-table';
import { coloursFor, widthOf } from './terminal';
import { hangingLines } from './wrapped-text';

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
    const plan = (await findBench(db, benchId))?.plan ?? null;
    const { bold } = coloursFor(process.stdout);
    process.stdout.write(
      `${costsText({ benchId, plan, lines, budgets }, { width: widthOf(process.stdout), bold })}\n`,
    );
  });
}

interface Place {
  /** Of the terminal. */
  width: number;
  bold: (text: string) => string;
}

/** A bench's sums by candidate, purpose and model, and what its caps hold. */
export function costsText(
  bench: { benchId: string; plan: BenchPlan | null; lines: CostLine[]; budgets: BudgetLine[] },
  place: Place,
): string {
  const { benchId, plan, lines, budgets } = bench;
  const words = plan === null ? null : simulationWords(plan);
  return [
    ...hangingLines(`${place.bold(benchId)}${words ? ` · ${words}` : ''}`, place.width),
    '',
    splitTable(COST_COLUMNS, lines, { label: WHO, ...place }),
    '',
    splitTable(capColumns(budgets), budgets, { label: SCOPE, ...place }),
  ].join('\n');
}

const usd = (amount: number | null): string => (amount === null ? NONE : usdText(amount));

const WHO: ValueColumn<CostLine> = {
  name: 'who',
  value: ({ label, kind }) => label ?? (kind === 'probe' ? 'checks' : 'judge'),
};

const COST_COLUMNS: readonly ValueColumn<CostLine>[] = [
  WHO,
  { name: 'purpose', value: ({ kind }) => kind },
  { name: 'model', maxWidth: 34, tightWidth: 20, value: ({ provider, model }) => `${provider}:${model}` },
  { name: 'calls', align: 'right', value: ({ calls }) => String(calls) },
  { name: 'failed', align: 'right', value: ({ failed }) => String(failed) },
  { name: 'in doubt', align: 'right', value: ({ inDoubt }) => String(inDoubt) },
  {
    name: 'tokens in/out',
    align: 'right',
    value: ({ inputTokens, outputTokens }) => `${tokensText(inputTokens)}/${tokensText(outputTokens)}`,
  },
  { name: 'reported', align: 'right', value: ({ reportedUsd }) => usd(reportedUsd) },
  { name: 'computed', align: 'right', value: ({ computedUsd }) => usd(computedUsd) },
  {
    name: 'difference',
    align: 'right',
    value: ({ differenceUsd }) => (differenceUsd === null ? NONE : signed(differenceUsd)),
  },
  { name: 'cost', align: 'right', value: costText },
];

const SCOPE: ValueColumn<BudgetLine> = { name: 'scope', value: ({ scope }) => scope };

/** The last one only where something closed a cap. */
function capColumns(budgets: readonly BudgetLine[]): ValueColumn<BudgetLine>[] {
  return [
    SCOPE,
    { name: 'cap', align: 'right', value: ({ capUsd }) => (capUsd === null ? 'none' : usdText(capUsd)) },
    { name: 'held', align: 'right', value: ({ heldUsd }) => usdText(heldUsd) },
    ...(budgets.some(({ closedBy }) => closedBy) ? [CLOSED] : []),
  ];
}

const CLOSED: ValueColumn<BudgetLine> = {
  name: '',
  tightWidth: 24,
  value: ({ closedBy }) => (closedBy ? `closed: ${closedBy} cost more than its bound` : ''),
};

function signed(amount: number): string {
  return `${amount < 0 ? '−' : '+'}${usdText(Math.abs(amount))}`;
}
