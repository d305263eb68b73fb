import { sql } from 'kysely';
import type { Mode } from '../core/bench-input';
import type { BenchPlan } from '../core/bench-plan';
import type { BenchState, CandidateState, HypothesisState } from '../core/bench-states';
import { benchScope, candidateScope, judgeScope } from '../core/ids';
import type { Database } from './database';
import { countSessions, readSubjects } from './scipivot';
import { readPace, readWorkTimes } from './work-time';

/** How far a bench is, from its rows alone; nothing is locked or written. */
export interface BenchProgress {
  benchId: string;
  workflowId: string;
  state: BenchState;
  failure: { kind: string; detail: string } | null;
  /** Why the tournament holds by itself until somebody unpauses it; null: it does not. */
  holdReason: string | null;
  createdAt: Date;
  finishedAt: Date | null;
  /** How long it has been at work, in milliseconds, without the time it stood still; and its candidates and reviewer. */
  workMs: number;
  writingMs: number;
  plan: BenchPlan;
  /** In the order of the plan. */
  candidates: CandidateProgress[];
  judge: ScopeProgress & {
    verdicts: number;
    /** Of them, those of matches that a drop has left unplayed. */
    verdictsOfDropped?: number;
    /** Verdicts that could not be had, by reason. */
    invalid: Record<string, number>;
    /** Answers of the judge that came in the last two minutes, and how long the work on them took, in milliseconds. */
    pace?: { verdicts: number; overMs: number };
  };
  /** All zero until the schedule is written. */
  matches: {
    scheduled: number;
    played: number;
    /** By reason. */
    unplayed: Record<string, number>;
  };
  total: ScopeProgress;
  /** Whoever is asked a SciΠvot data set, so far; empty where nobody is. */
  scipivot?: SubjectProgress[];
}

export interface SubjectProgress {
  subject: string;
  role: 'candidate' | 'judge';
  state: 'asking' | 'asked' | 'over_budget' | 'failed';
  holdReason: string | null;
  nEnded: number;
  nSessions: number;
  /** Sessions that ended without an answer, by status. */
  unanswered: Record<string, number>;
}

export interface CandidateProgress extends ScopeProgress {
  label: string;
  mode: Mode;
  state: CandidateState;
  failureKind: string | null;
  /** Why the candidate holds by itself until somebody unpauses it; null: it does not. */
  holdReason: string | null;
  nPlanned: number;
  slots: Partial<Record<HypothesisState, number>>;
  /** Slots that ended without a hypothesis, by kind. */
  failures: Record<string, number>;
  /** The furthest model turn of any slot; 0 before the first. */
  turn: number;
}

/** A budget scope's calls, in USD. */
export interface ScopeProgress {
  /** Sum of the known costs. */
  costUsd: number;
  /** Calls that ended with a cost nobody knows. */
  nUnknownCost: number;
  /** Bounds of the calls in doubt. */
  inDoubtUsd: number;
  /** Calls out at this moment. */
  nOut: number;
  /** Requests that got no answer, by kind; most were, or will be, asked again. */
  unanswered: Record<string, number>;
}

/** @returns undefined while the bench has no rows */
export async function readBenchProgress(db: Database, benchId: string): Promise<BenchProgress | undefined> {
  const run = await db
    .selectFrom('bench_runs')
    .select(['id', 'workflow_id', 'state', 'failure_kind', 'failure_detail'])
    .select(['hold_reason', 'created_at', 'finished_at', 'plan'])
    .where('id', '=', benchId)
    .executeTakeFirst();
  if (!run) return undefined;
  const scopes = await readScopes(db, benchId);
  return {
    benchId,
    workflowId: run.workflow_id,
    state: run.state,
    failure: run.failure_kind === null ? null : { kind: run.failure_kind, detail: run.failure_detail ?? '' },
    holdReason: run.hold_reason,
    createdAt: run.created_at,
    finishedAt: run.finished_at,
    ...(await readWorkTimes(db, benchId)),
    plan: run.plan,
    candidates: await readCandidateProgress(db, benchId, scopes),
    judge: {
      ...scopes(judgeScope(benchId)),
      ...(await readVerdictProgress(db, benchId)),
      pace: await readPace(db, benchId),
    },
    matches: await readMatchProgress(db, benchId),
    total: scopes(benchScope(benchId)),
    scipivot: run.plan.scipivot ? await readSubjectProgress(db, benchId) : [],
  };
}

async function readSubjectProgress(db: Database, benchId: string): Promise<SubjectProgress[]> {
  const counts = await countSessions(db, benchId);
  return (await readSubjects(db, benchId)).map(({ subject, role, state, holdReason, nSessions }) => {
    const own = counts.filter((row) => row.subject === subject);
    const unanswered = own.filter(({ status }) => status !== 'ok').map(({ status, n }) => [status, n]);
    const nEnded = own.reduce((sum, { n }) => sum + n, 0);
    return {
      subject,
      role,
      state,
      holdReason,
      nEnded,
      nSessions,
      unanswered: Object.fromEntries(unanswered),
    };
  });
}

async function readCandidateProgress(
  db: Database,
  benchId: string,
  scopes: (scopeId: string) => ScopeProgress,
): Promise<CandidateProgress[]> {
  const candidates = await db
    .selectFrom('bench_candidates')
    .select(['id', 'label', 'mode', 'state', 'failure_kind', 'hold_reason', 'n_planned'])
    .where('bench_id', '=', benchId)
    .orderBy('position')
    .execute();
  const slots = await db
    .selectFrom('bench_hypotheses')
    .select(['candidate_id', 'state', 'failure_kind', (eb) => eb.fn.countAll<number>().as('n')])
    .where('bench_id', '=', benchId)
    .groupBy(['candidate_id', 'state', 'failure_kind'])
    .orderBy('failure_kind')
    .execute();
  const turns = await readTurns(db, benchId);
  return candidates.map((row) => {
    const progress: CandidateProgress = {
      ...scopes(candidateScope(row.id)),
      label: row.label,
      mode: row.mode,
      state: row.state,
      failureKind: row.failure_kind,
      holdReason: row.hold_reason,
      nPlanned: row.n_planned,
      slots: {},
      failures: {},
      turn: turns.get(row.id) ?? 0,
    };
    for (const { state, failure_kind, n } of slots.filter((slot) => slot.candidate_id === row.id)) {
      progress.slots[state] = (progress.slots[state] ?? 0) + n;
      if (!['failed', 'duplicate', 'over_budget'].includes(state)) continue;
      const kind = state === 'failed' ? (failure_kind ?? state) : state;
      progress.failures[kind] = (progress.failures[kind] ?? 0) + n;
    }
    return progress;
  });
}

/** By candidate id; a generation call's key is `<candidate>/<k>/turn/<t>`. */
async function readTurns(db: Database, benchId: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('bench_llm_calls')
    .select([
      sql<string>`substring(key FROM '^(.*)/[0-9]+/turn/[0-9]+$')`.as('candidate_id'),
      sql<number>`max(substring(key FROM '/turn/([0-9]+)$')::integer)`.as('turn'),
    ])
    .where('bench_id', '=', benchId)
    .where('kind', '=', 'generation')
    .groupBy('candidate_id')
    .execute();
  return new Map(rows.map((row) => [row.candidate_id, row.turn]));
}

async function readVerdictProgress(
  db: Database,
  benchId: string,
): Promise<{ verdicts: number; verdictsOfDropped: number; invalid: Record<string, number> }> {
  const rows = await db
    .selectFrom('bench_verdicts')
    .select(['state', 'reason', (eb) => eb.fn.countAll<number>().as('n')])
    .where('bench_id', '=', benchId)
    .groupBy(['state', 'reason'])
    .orderBy('reason')
    .execute();
  const ofDropped = await db
    .selectFrom('bench_verdicts as v')
    .innerJoin('bench_matches as m', 'm.id', 'v.match_id')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('m.bench_id', '=', benchId)
    .where('m.state', '=', 'unplayed')
    .where('m.reason', '=', 'dropped')
    .executeTakeFirstOrThrow();
  const invalid = rows.filter((row) => row.state === 'invalid');
  return {
    verdicts: rows.reduce((sum, row) => sum + row.n, 0),
    verdictsOfDropped: ofDropped.n,
    invalid: Object.fromEntries(invalid.map((row) => [row.reason ?? 'unknown', row.n])),
  };
}

/** All zero until the schedule is written; `unplayed` by reason. */
export async function readMatchProgress(db: Database, benchId: string): Promise<BenchProgress['matches']> {
  const rows = await db
    .selectFrom('bench_matches')
    .select(['state', 'reason', (eb) => eb.fn.countAll<number>().as('n')])
    .where('bench_id', '=', benchId)
    .groupBy(['state', 'reason'])
    .orderBy('reason')
    .execute();
  const unplayed = rows.filter((row) => row.state === 'unplayed');
  return {
    scheduled: rows.reduce((sum, row) => sum + row.n, 0),
    played: rows.filter((row) => row.state === 'played').reduce((sum, row) => sum + row.n, 0),
    unplayed: Object.fromEntries(unplayed.map((row) => [row.reason ?? 'unknown', row.n])),
  };
}

/** One pass over the bench's calls; a scope without any has spent nothing. */
async function readScopes(db: Database, benchId: string): Promise<(scopeId: string) => ScopeProgress> {
  const { rows } = await sql<{
    scope_id: string;
    failure_kind: string | null;
    cost_usd: number;
    n_unknown: number;
    in_doubt_usd: number;
    n_out: number;
    n_unanswered: number;
  }>`
    SELECT scope_id, failure_kind, coalesce(sum(cost_usd), 0) AS cost_usd,
           count(*) FILTER (WHERE cost_usd IS NULL AND state IN ('settled','superseded','failed')) AS n_unknown,
           coalesce(sum(charged_usd) FILTER (WHERE state = 'in_doubt'), 0) AS in_doubt_usd,
           count(*) FILTER (WHERE state = 'sent') AS n_out,
           count(*) FILTER (WHERE state IN ('failed','in_doubt')) AS n_unanswered
      FROM bench_llm_calls, unnest(scope_ids) AS scope_id
     WHERE bench_id = ${benchId}
     GROUP BY scope_id, failure_kind
     ORDER BY scope_id, failure_kind`.execute(db);
  return (scopeId) => {
    const scope: ScopeProgress = { costUsd: 0, nUnknownCost: 0, inDoubtUsd: 0, nOut: 0, unanswered: {} };
    for (const row of rows.filter((r) => r.scope_id === scopeId)) {
      scope.costUsd += row.cost_usd;
      scope.nUnknownCost += row.n_unknown;
      scope.inDoubtUsd += row.in_doubt_usd;
      scope.nOut += row.n_out;
      if (row.n_unanswered > 0) scope.unanswered[row.failure_kind ?? 'unknown'] = row.n_unanswered;
    }
    return scope;
  };
}
