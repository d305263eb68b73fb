import { sql } from 'kysely';
import { candidateScope, judgeScope } from '../core/ids';
import type { Database } from './database';

/** What a scope's calls came to. */
export interface ScopeCosts {
  /** Sum of the known costs, in USD. */
  costUsd: number;
  /** Calls that ended with a cost nobody knows; charged at their bounds, not in `costUsd`. */
  nUnknownCost: number;
  /** Bounds of the calls that may have been billed: out, or in doubt. */
  inDoubtUsd: number;
  inputTokens: number;
  outputTokens: number;
  calls: number;
}

/** @param scopeId as core/ids.ts makes them: a candidate's, the judge's or the bench's */
export async function readScopeCosts(db: Database, benchId: string, scopeId: string): Promise<ScopeCosts> {
  return db
    .selectFrom('bench_llm_calls')
    .select(costColumns())
    .where('bench_id', '=', benchId)
    .where(sql<boolean>`${scopeId} = ANY (scope_ids)`)
    .executeTakeFirstOrThrow();
}

/** Writes each candidate's costs and tokens into its row, from the ledger. */
export async function writeCandidateCosts(
  db: Database,
  benchId: string,
  candidateIds: readonly string[],
): Promise<Map<string, ScopeCosts>> {
  const costs = new Map<string, ScopeCosts>();
  for (const id of candidateIds) {
    const scope = await readScopeCosts(db, benchId, candidateScope(id));
    costs.set(id, scope);
    await db
      .updateTable('bench_candidates')
      .set({
        total_cost_usd: scope.costUsd,
        n_unknown_cost: scope.nUnknownCost,
        in_doubt_usd: scope.inDoubtUsd,
        total_input_tok: scope.inputTokens,
        total_output_tok: scope.outputTokens,
      })
      .where('id', '=', id)
      .execute();
  }
  return costs;
}

export async function readJudgeCosts(db: Database, benchId: string): Promise<ScopeCosts> {
  return readScopeCosts(db, benchId, judgeScope(benchId));
}

function costColumns() {
  return [
    sql<number>`coalesce(sum(cost_usd), 0)`.as('costUsd'),
    sql<number>`count(*) FILTER (WHERE cost_usd IS NULL AND state IN ('settled', 'superseded', 'failed'))`.as(
      'nUnknownCost',
    ),
    sql<number>`coalesce(sum(charged_usd) FILTER (WHERE state IN ('sent', 'in_doubt')), 0)`.as('inDoubtUsd'),
    sql<number>`coalesce(sum(input_tok), 0)`.as('inputTokens'),
    sql<number>`coalesce(sum(output_tok), 0)`.as('outputTokens'),
    sql<number>`count(*)`.as('calls'),
  ] as const;
}
