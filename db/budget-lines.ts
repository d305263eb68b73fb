import { sql } from 'kysely';
import type { Database } from './database';
import { isExceeded } from './resume';

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
  /** It has refused a call, and its cap is the same still; or that call has closed it. */
  isClosed: boolean;
}

/** Candidates in the order of the plan, then the judge, then the whole bench. */
export async function readBudgets(db: Database, benchId: string): Promise<BudgetLine[]> {
  const rows = await db
    .selectFrom('bench_budgets as b')
    .leftJoin('bench_candidates', 'bench_candidates.id', 'b.id')
    .select(['kind', 'label', 'cap_usd', 'held_usd', 'closed_by'])
    .select(sql<boolean>`coalesce(${isExceeded}, false)`.as('is_closed'))
    .where('b.bench_id', '=', benchId)
    .orderBy('position', (order) => order.asc().nullsLast())
    .orderBy('kind', 'desc')
    .execute();
  return rows.map((row) => ({
    scope: row.label ?? row.kind,
    capUsd: row.cap_usd,
    heldUsd: row.held_usd,
    closedBy: row.closed_by,
    isClosed: row.is_closed,
  }));
}
