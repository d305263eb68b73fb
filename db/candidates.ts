import { sql } from 'kysely';
import type { Mode } from '../core/bench-input';
import type { CandidateState } from '../core/bench-states';
import { KEPT_STATES } from '../core/kept';
import { statesBefore } from '../core/state-transitions';
import type { Database } from './database';
import { closePlannedMatches } from './matches';

export interface CandidateRow {
  id: string;
  position: number;
  label: string;
  provider: string;
  model: string;
  mode: Mode;
  state: CandidateState;
}

/** In the order of the plan. */
export async function readCandidates(db: Database, benchId: string): Promise<CandidateRow[]> {
  return db
    .selectFrom('bench_candidates')
    .select(['id', 'position', 'label', 'provider', 'model', 'mode', 'state'])
    .where('bench_id', '=', benchId)
    .orderBy('position')
    .execute();
}

export async function readCandidate(db: Database, candidateId: string): Promise<CandidateRow> {
  return db
    .selectFrom('bench_candidates')
    .select(['id', 'position', 'label', 'provider', 'model', 'mode', 'state'])
    .where('id', '=', candidateId)
    .executeTakeFirstOrThrow();
}

/** Moves a candidate on where its state allows it, and counts the hypotheses it keeps. */
export async function setCandidateState(
  db: Database,
  candidateId: string,
  state: CandidateState,
  failureKind: string | null = null,
): Promise<void> {
  await db
    .updateTable('bench_candidates')
    .set((eb) => ({
      state,
      failure_kind: failureKind,
      n_hypotheses: eb
        .selectFrom('bench_hypotheses')
        .select(eb.fn.countAll<number>().as('n'))
        .where('candidate_id', '=', candidateId)
        .where('bench_hypotheses.state', 'in', KEPT_STATES),
    }))
    .where('id', '=', candidateId)
    .where('state', 'in', statesBefore('candidate', state))
    .execute();
}

/**
 * Drops a candidate: what it has stays in the rows, what it has not is not awaited any more.
 * @param tx a transaction
 */
export async function dropCandidateRows(tx: Database, candidateId: string): Promise<void> {
  await tx
    .updateTable('bench_candidates')
    .set({ state: 'dropped', hold_reason: null })
    .where('id', '=', candidateId)
    .where('state', 'in', statesBefore('candidate', 'dropped'))
    .execute();
  // In the order in which they are ended one by one where a cap is reached.
  await sql`
    WITH mine AS MATERIALIZED (
      SELECT id FROM bench_hypotheses WHERE candidate_id = ${candidateId} AND state = 'planned'
       ORDER BY k FOR NO KEY UPDATE
    )
    UPDATE bench_hypotheses SET state = 'failed', failure_kind = 'dropped' WHERE id IN (SELECT id FROM mine)`.execute(
    tx,
  );
  await closePlannedMatches(tx, { candidateId }, 'dropped');
}

/** Ends a candidate's work: over budget where any of its slots is, else ready. */
export async function closeCandidateRow(db: Database, candidateId: string): Promise<void> {
  const overBudget = await db
    .selectFrom('bench_hypotheses')
    .select('id')
    .where('candidate_id', '=', candidateId)
    .where('state', '=', 'over_budget')
    .limit(1)
    .executeTakeFirst();
  await setCandidateState(db, candidateId, overBudget ? 'over_budget' : 'ready');
}

/**
 * A bench that was cancelled leaves no candidate at work, or waiting for it: those end as failed, by the kind
 * `cancelled`. A resume takes them up again.
 */
export async function cancelOpenCandidates(db: Database, benchId: string): Promise<void> {
  await db
    .updateTable('bench_candidates')
    .set({ state: 'failed', failure_kind: 'cancelled', hold_reason: null })
    .where('bench_id', '=', benchId)
    .where('state', 'in', ['planned', 'generating'])
    .execute();
}

/** @param reason why the candidate stands still by itself; null: it does not */
export async function setCandidateHold(
  db: Database,
  candidateId: string,
  reason: string | null,
): Promise<void> {
  await db
    .updateTable('bench_candidates')
    .set({ hold_reason: reason })
    .where('id', '=', candidateId)
    .execute();
}
