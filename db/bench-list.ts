import { sql } from 'kysely';
import type { BenchState, HypothesisState } from '../core/bench-states';
import type { Database } from './database';

/** A bench in a line. */
export interface BenchListRow {
  benchId: string;
  state: BenchState;
  /** True: its models were simulated, and so are its figures. */
  simulated: boolean;
  createdAt: Date;
  finishedAt: Date | null;
  preset: string | null;
  goal: string;
  nCandidates: number;
  /** Labels of the highest rating; where the bench has none, of the highest mean Elo; empty without either. */
  leaders: string[];
  /** Sum of the known costs of all calls, in USD; as everywhere, the unknown and the doubtful stand beside it. */
  costUsd: number;
  nUnknownCost: number;
  inDoubtUsd: number;
}

/** Newest first. */
export async function readBenchList(db: Database, limit: number): Promise<BenchListRow[]> {
  const { rows } = await sql<BenchListRow>`
    SELECT r.id AS "benchId", r.state, (r.plan ->> 'isSimulated')::boolean AS simulated,
           r.created_at AS "createdAt", r.finished_at AS "finishedAt", r.preset, r.goal,
           c.n AS "nCandidates", c.leaders, k.cost_usd AS "costUsd", k.n_unknown AS "nUnknownCost",
           k.in_doubt_usd AS "inDoubtUsd"
      FROM bench_runs r
     CROSS JOIN LATERAL (
       SELECT count(*) AS n,
              coalesce(array_agg(label ORDER BY position)
                         FILTER (WHERE CASE WHEN best_rating IS NULL THEN mean_elo = best_elo ELSE bt_elo = best_rating END),
                       '{}') AS leaders
         FROM (SELECT label, position, bt_elo, mean_elo, max(bt_elo) OVER () AS best_rating,
                      max(mean_elo) OVER () AS best_elo
                 FROM bench_candidates WHERE bench_id = r.id) AS candidates) AS c
     CROSS JOIN LATERAL (
       SELECT coalesce(sum(cost_usd), 0) AS cost_usd,
              count(*) FILTER (WHERE cost_usd IS NULL AND state IN ('settled','superseded','failed')) AS n_unknown,
              coalesce(sum(charged_usd) FILTER (WHERE state IN ('sent','in_doubt')), 0) AS in_doubt_usd
         FROM bench_llm_calls WHERE bench_id = r.id AND kind <> 'rubric') AS k
     ORDER BY r.created_at DESC, r.id DESC
     LIMIT ${limit}`.execute(db);
  return rows;
}

/** Ids that begin so, newest first. */
export async function findBenchIds(db: Database, prefix: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('bench_runs')
    .select('id')
    .where(sql<boolean>`starts_with(id, ${prefix})`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

export interface RatedHypothesis {
  publicId: string;
  /** Its place among the bench's slots in the order of the plan, from 1. */
  number: number;
  label: string;
  elo: number;
  title: string;
}

/** The best by Elo; equal ones in the order of candidates and slots. */
export async function readTopHypotheses(
  db: Database,
  benchId: string,
  limit: number,
): Promise<RatedHypothesis[]> {
  const rows = await db
    .selectFrom('bench_hypotheses as h')
    .innerJoin('bench_candidates as c', 'c.id', 'h.candidate_id')
    .select(['h.public_id', 'h.k', 'c.position', 'c.n_planned', 'c.label', 'h.elo', 'h.title'])
    .where('h.bench_id', '=', benchId)
    .where('h.elo', 'is not', null)
    .orderBy('h.elo', 'desc')
    .orderBy('c.position')
    .orderBy('h.k')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    publicId: row.public_id,
    number: row.position * row.n_planned + row.k,
    label: row.label,
    elo: row.elo ?? 0,
    title: row.title ?? '',
  }));
}

export interface EndedSlot {
  label: string;
  k: number;
  state: HypothesisState;
  kind: string | null;
  detail: string | null;
}

/** Slots that ended without a hypothesis, in the order of candidates and slots. */
export async function readEndedSlots(db: Database, benchId: string, limit: number): Promise<EndedSlot[]> {
  const rows = await db
    .selectFrom('bench_hypotheses as h')
    .innerJoin('bench_candidates as c', 'c.id', 'h.candidate_id')
    .select(['c.label', 'h.k', 'h.state', 'h.failure_kind', 'h.failure_detail'])
    .where('h.bench_id', '=', benchId)
    .where('h.state', 'in', ['failed', 'duplicate', 'over_budget'])
    .orderBy('c.position')
    .orderBy('h.k')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    label: row.label,
    k: row.k,
    state: row.state,
    kind: row.failure_kind,
    detail: row.failure_detail,
  }));
}
