import { sql } from 'kysely';
import type { CallKind } from '../core/bench-states';
import type { KnownCosts } from '../core/known-costs';
import { formatModelRef } from '../core/model-ref';
import type { Database } from './database';

/** What a scope's calls came to. */
export interface ScopeCosts extends KnownCosts {
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

/** What benches' calls came to, by bench, scores after the fact aside; one that has made none is not there. */
export async function readBenchCosts(
  db: Database,
  benchIds: readonly string[],
): Promise<Map<string, ScopeCosts>> {
  if (benchIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('bench_llm_calls')
    .select('bench_id')
    .select(costColumns())
    .where('bench_id', 'in', benchIds)
    .where('kind', '!=', 'rubric')
    .groupBy('bench_id')
    .execute();
  return new Map(rows.map(({ bench_id: benchId, ...costs }) => [benchId, costs]));
}

/** What a bench's calls came to, by kind. */
export async function readKindCosts(
  db: Database,
  benchId: string,
): Promise<({ kind: CallKind } & ScopeCosts)[]> {
  return db
    .selectFrom('bench_llm_calls')
    .select('kind')
    .select(costColumns())
    .where('bench_id', '=', benchId)
    .groupBy('kind')
    .orderBy('kind')
    .execute();
}

/** What a bench's SciΠvot sessions came to, by who was asked, as `keyPart` of core/ids.ts writes it. */
export async function readSessionCosts(db: Database, benchId: string): Promise<Map<string, ScopeCosts>> {
  const rows = await db
    .selectFrom('bench_llm_calls')
    .select(sql<string>`split_part(key, '/', 3)`.as('subject'))
    .select(costColumns())
    .where('bench_id', '=', benchId)
    .where('kind', '=', 'scipivot')
    .groupBy('subject')
    .execute();
  return new Map(rows.map(({ subject, ...costs }) => [subject, costs]));
}

/** What a bench's verdicts and debates came to, by `provider:model`. */
export async function readJudgeCosts(db: Database, benchId: string): Promise<Map<string, ScopeCosts>> {
  const rows = await db
    .selectFrom('bench_llm_calls')
    .select(['provider', 'model'])
    .select(costColumns())
    .where('bench_id', '=', benchId)
    .where('kind', 'in', ['judge', 'debate'])
    .groupBy(['provider', 'model'])
    .execute();
  return new Map(rows.map(({ provider, model, ...costs }) => [formatModelRef({ provider, model }), costs]));
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
