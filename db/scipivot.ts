import { sql } from 'kysely';
import { ORDERS, type Order } from '../core/ids';
import type { PredictionStatus } from '../core/scipivot/score';
import type { Database } from './database';
import type { SessionsTable, SubjectRole, SubjectState } from './scipivot-tables';
import { toStorable } from './storable-text';

export interface Subject {
  subject: string;
  provider: string;
  model: string;
}

/** Stores who is asked, in this order; those that are stored already go on where they were. */
export async function openSubjects(
  db: Database,
  bench: { benchId: string; setName: string; role: SubjectRole },
  subjects: readonly (Subject & { position: number })[],
): Promise<void> {
  if (subjects.length === 0) return;
  await db
    .insertInto('bench_scipivot_subjects')
    .values(
      subjects.map(({ subject, position, provider, model }) => ({
        bench_id: bench.benchId,
        subject,
        role: bench.role,
        position,
        provider,
        model,
        set_name: bench.setName,
        state: 'asking' as const,
        failure_kind: null,
        hold_reason: null,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['bench_id', 'subject']).doUpdateSet({ state: 'asking', failure_kind: null }),
    )
    .execute();
}

export async function setSubjectState(
  db: Database,
  { benchId, subject }: { benchId: string; subject: string },
  state: SubjectState,
  failureKind: string | null,
): Promise<void> {
  await db
    .updateTable('bench_scipivot_subjects')
    .set({ state, failure_kind: failureKind })
    .where('bench_id', '=', benchId)
    .where('subject', '=', subject)
    .execute();
}

export async function setSubjectHold(
  db: Database,
  { benchId, subject }: { benchId: string; subject: string },
  reason: string | null,
): Promise<void> {
  await db
    .updateTable('bench_scipivot_subjects')
    .set({ hold_reason: reason })
    .where('bench_id', '=', benchId)
    .where('subject', '=', subject)
    .execute();
}

/**
 * Positions of sessions that are still to be held, in order. One that ended is never held again, but for a fault of
 * transport that an earlier epoch could not mend.
 */
export async function readOpenPositions(
  db: Database,
  {
    benchId,
    epoch,
    subject,
    afterPosition,
    limit,
  }: { benchId: string; epoch: number; subject: string; afterPosition: number; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ position: number }>`
    SELECT p.position
      FROM bench_scipivot_subjects u
      JOIN bench_scipivot_prompts p ON p.set_name = u.set_name
      LEFT JOIN bench_scipivot_sessions s
        ON s.bench_id = u.bench_id AND s.subject = u.subject AND s.position = p.position
     WHERE u.bench_id = ${benchId} AND u.subject = ${subject} AND p.position > ${afterPosition}
       AND (s.position IS NULL OR (s.epoch < ${epoch} AND s.status IN ('timeout', 'provider_error')))
     ORDER BY p.position LIMIT ${limit}`.execute(db);
  return rows.map(({ position }) => position);
}

/** What one session shows, and to whom. */
export interface OpenSession extends Subject {
  role: SubjectRole;
  caseId: string;
  order: Order;
  prompt: string;
}

/** @throws when the subject is not asked in this bench, or its data set has no such session */
export async function readOpenSession(
  db: Database,
  { benchId, subject, position }: { benchId: string; subject: string; position: number },
): Promise<OpenSession> {
  return db
    .selectFrom('bench_scipivot_subjects as u')
    .innerJoin('bench_scipivot_prompts as p', 'p.set_name', 'u.set_name')
    .select(['u.subject', 'u.role', 'u.provider', 'u.model', 'p.case_id as caseId', 'p.order', 'p.prompt'])
    .where('u.bench_id', '=', benchId)
    .where('u.subject', '=', subject)
    .where('p.position', '=', position)
    .executeTakeFirstOrThrow();
}

/** Writes how a session ended. What a model answered is never replaced, a fault of transport only by a later try. */
export async function saveSession(db: Database, session: SessionsTable): Promise<void> {
  await db
    .insertInto('bench_scipivot_sessions')
    .values(toStorable(session))
    .onConflict((conflict) =>
      conflict
        .columns(['bench_id', 'subject', 'position'])
        .doUpdateSet((eb) => ({
          epoch: eb.ref('excluded.epoch'),
          status: eb.ref('excluded.status'),
          response: eb.ref('excluded.response'),
          reason: eb.ref('excluded.reason'),
        }))
        .where('bench_scipivot_sessions.status', 'in', ['timeout', 'provider_error'])
        .whereRef('bench_scipivot_sessions.epoch', '<=', 'excluded.epoch'),
    )
    .execute();
}

/** A session that has ended. */
export interface EndedSession {
  caseId: string;
  order: Order;
  status: PredictionStatus;
  response: string | null;
}

/** All of a subject's sessions that have ended, in the order of the prompts. */
export async function readSessions(
  db: Database,
  { benchId, subject }: { benchId: string; subject: string },
): Promise<EndedSession[]> {
  return db
    .selectFrom('bench_scipivot_sessions as s')
    .innerJoin('bench_scipivot_subjects as u', (join) =>
      join.onRef('u.bench_id', '=', 's.bench_id').onRef('u.subject', '=', 's.subject'),
    )
    .innerJoin('bench_scipivot_prompts as p', (join) =>
      join.onRef('p.set_name', '=', 'u.set_name').onRef('p.position', '=', 's.position'),
    )
    .select(['p.case_id as caseId', 'p.order', 's.status', 's.response'])
    .where('s.bench_id', '=', benchId)
    .where('s.subject', '=', subject)
    .orderBy('s.position')
    .execute();
}

export interface SubjectRow extends Subject {
  role: SubjectRole;
  state: SubjectState;
  /** Two a case of the data set. */
  nSessions: number;
  failureKind: string | null;
  holdReason: string | null;
}

/** Everyone a bench asks: its candidates, then its judges, as the plan has them. */
export async function readSubjects(db: Database, benchId: string): Promise<SubjectRow[]> {
  return db
    .selectFrom('bench_scipivot_subjects')
    .innerJoin('bench_scipivot_sets', 'name', 'set_name')
    .select(['subject', 'role', 'provider', 'model', 'state'])
    .select(['failure_kind as failureKind', 'hold_reason as holdReason'])
    .select((eb) => eb('n_cases', '*', ORDERS.length).as('nSessions'))
    .where('bench_id', '=', benchId)
    .orderBy('role')
    .orderBy('position')
    .execute();
}

/** How many sessions have ended, by subject and status. */
export async function countSessions(
  db: Database,
  benchId: string,
): Promise<{ subject: string; status: PredictionStatus; n: number }[]> {
  return db
    .selectFrom('bench_scipivot_sessions')
    .select(['subject', 'status', (eb) => eb.fn.countAll<number>().as('n')])
    .where('bench_id', '=', benchId)
    .groupBy(['subject', 'status'])
    .execute();
}

/** What the ledger has of a bench's sessions, all attempts. */
export async function countCalls(
  db: Database,
  benchId: string,
): Promise<{ accepted: number; inDoubt: number; others: number }> {
  return db
    .selectFrom('bench_llm_calls')
    .select([
      sql<number>`count(*) FILTER (WHERE state = 'settled')`.as('accepted'),
      sql<number>`count(*) FILTER (WHERE state = 'in_doubt')`.as('inDoubt'),
      sql<number>`count(*) FILTER (WHERE state NOT IN ('settled', 'in_doubt'))`.as('others'),
    ])
    .where('bench_id', '=', benchId)
    .where('kind', '=', 'scipivot')
    .executeTakeFirstOrThrow();
}
