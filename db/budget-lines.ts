import type { Database } from './database';

/** One budget scope of a bench. */
export interface BudgetLine {
  /** A candidate's label, `judge`, or `bench`. */
  scope: string;
  /** null: no cap. */
  capUsd: number | null;
  /** Charged so far: costs, bounds of calls out or in doubt. */
  heldUsd: number;
  /** The call that cost more than its bound and so closed the scope. */
  closedBy: string | null;
}

/** Candidates in the order of the plan, then the judge, then the whole bench. */
export async function readBudgets(db: Database, benchId: string): Promise<BudgetLine[]> {
  const rows = await db
    .selectFrom('bench_budgets')
    .leftJoin('bench_candidates', 'bench_candidates.id', 'bench_budgets.id')
    .select(['kind', 'label', 'cap_usd', 'held_usd', 'closed_by'])
    .where('bench_budgets.bench_id', '=', benchId)
    .orderBy('position', (order) => order.asc().nullsLast())
    .orderBy('kind', 'desc')
    .execute();
  return rows.map((row) => ({
    scope: row.label ?? row.kind,
    capUsd: row.cap_usd,
    heldUsd: row.held_usd,
    closedBy: row.closed_by,
  }));
}
