import { sql } from 'kysely';
import type { CallKind } from '../core/bench-states';
import type { Database } from './database';

/** The calls of one model for one purpose. Money in USD, tokens as billed. */
export interface CostLine {
  /** A candidate's label, or null: judge, reviewer or probe. */
  label: string | null;
  kind: CallKind;
  provider: string;
  model: string;
  calls: number;
  /** Requests sent that ended without an answer. */
  failed: number;
  inDoubt: number;
  superseded: number;
  nUnknownCost: number;
  costUsd: number;
  /** null where no call of the line has one. */
  reportedUsd: number | null;
  computedUsd: number | null;
  /** Reported minus computed, over the calls that have both. */
  differenceUsd: number | null;
  inDoubtUsd: number;
  overrunUsd: number;
  inputTokens: number;
  cachedInputTokens: number;
  cacheWriteTokens: number;
  outputTokens: number;
  reasoningTokens: number;
}

/** A bench's ledger, summed by candidate, purpose and model, in the order of the plan: candidates, then judge and reviewer, then checks. */
export async function readCostLines(db: Database, benchId: string): Promise<CostLine[]> {
  const { rows } = await sql<CostLine>`
    SELECT c.label, l.kind, l.provider, l.model,
           count(*) AS calls,
           count(*) FILTER (WHERE l.state = 'failed') AS failed,
           count(*) FILTER (WHERE l.state IN ('sent', 'in_doubt')) AS "inDoubt",
           count(*) FILTER (WHERE l.state = 'superseded') AS superseded,
           count(*) FILTER (WHERE l.cost_usd IS NULL AND l.state NOT IN ('sent', 'in_doubt')) AS "nUnknownCost",
           coalesce(sum(l.cost_usd), 0) AS "costUsd",
           sum(l.reported_usd) AS "reportedUsd",
           sum(l.computed_usd) AS "computedUsd",
           sum(l.reported_usd - l.computed_usd) AS "differenceUsd",
           coalesce(sum(l.charged_usd) FILTER (WHERE l.state IN ('sent', 'in_doubt')), 0) AS "inDoubtUsd",
           coalesce(sum(l.overrun_usd), 0) AS "overrunUsd",
           coalesce(sum(l.input_tok), 0) AS "inputTokens",
           coalesce(sum(l.cached_input_tok), 0) AS "cachedInputTokens",
           coalesce(sum(l.cache_write_tok), 0) AS "cacheWriteTokens",
           coalesce(sum(l.output_tok), 0) AS "outputTokens",
           coalesce(sum(l.reasoning_tok), 0) AS "reasoningTokens"
      FROM bench_llm_calls l
      LEFT JOIN bench_candidates c ON c.bench_id = l.bench_id AND c.id = ANY (l.scope_ids)
     WHERE l.bench_id = ${benchId}
     GROUP BY c.position, c.label, l.kind, l.provider, l.model
     ORDER BY c.position NULLS LAST, l.kind = 'probe', l.kind, l.provider, l.model`.execute(db);
  return rows;
}

/** Tokens of the answered calls, one row a call, for pricing them anew. */
export interface BilledCall {
  label: string | null;
  kind: CallKind;
  provider: string;
  model: string;
  costUsd: number | null;
  inputTokens: number | null;
  cachedInputTokens: number | null;
  cacheWriteTokens: number | null;
  outputTokens: number | null;
  reasoningTokens: number | null;
}

/** Calls that were answered, and so billed, by candidate, kind, key and attempt. Costs in USD; unknown ones are null. */
export async function readBilledCalls(db: Database, benchId: string): Promise<BilledCall[]> {
  const { rows } = await sql<BilledCall>`
    SELECT c.label, l.kind, l.provider, l.model, l.cost_usd AS "costUsd", l.input_tok AS "inputTokens",
           l.cached_input_tok AS "cachedInputTokens", l.cache_write_tok AS "cacheWriteTokens",
           l.output_tok AS "outputTokens", l.reasoning_tok AS "reasoningTokens"
      FROM bench_llm_calls l
      LEFT JOIN bench_candidates c ON c.bench_id = l.bench_id AND c.id = ANY (l.scope_ids)
     WHERE l.bench_id = ${benchId} AND l.state IN ('settled', 'superseded')
     ORDER BY c.position NULLS LAST, l.kind, l.key, l.attempt`.execute(db);
  return rows;
}
