import type { Mode } from '../core/bench-input';
import type { CandidateState } from '../core/bench-states';
import type { Database } from './database';

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

/** Moves a candidate on, and counts the hypotheses it keeps. A dropped one stays dropped. */
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
        .where('bench_hypotheses.state', 'in', ['reviewed', 'in_tournament']),
    }))
    .where('id', '=', candidateId)
    .where('state', '<>', 'dropped')
    .execute();
}
