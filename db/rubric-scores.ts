import { sql } from 'kysely';
import { compareText } from '../core/compare-text';
import type { EvalAgent } from '../core/evaluation/eval-check';
import type { RubricScore } from '../core/evaluation/rubric';
import { KEPT_STATES } from '../core/kept';
import { firstVerdict } from '../core/report/first-verdict';
import type { RecordedRubricScore } from '../core/report/recorded-rubric';
import type { Database } from './database';
import { insertParts } from './insert-parts';
import { maybeJsonb, toStorable } from './storable-text';
import { changeAsOwner, type Owner } from './write-as-owner';

/** Writes a score once: the first of its subject, judge and rubric counts. @throws BenchTakenOver */
export async function saveRubricScore(
  db: Database,
  owner: Owner,
  score: RubricScore,
  callKey: string,
): Promise<void> {
  const row = rowOf(owner.benchId, { ...score, callKey });
  await changeAsOwner(db, owner, async (isOwner) => {
    const result = await sql`
      INSERT INTO bench_rubric_scores (bench_id, agent, version, subject, judge, call_key, state, marks, reason, detail)
      SELECT ${row.bench_id}, ${row.agent}, ${row.version}::integer, ${row.subject}, ${row.judge}, ${row.call_key},
             ${row.state}, ${row.marks}::jsonb, ${row.reason}, ${row.detail}
       WHERE ${isOwner}
      ON CONFLICT (bench_id, agent, version, subject, judge) DO NOTHING`.execute(db);
    return result.numAffectedRows ?? 0n;
  });
}

/** Of a bench, by agent, version, judge and subject. */
export async function readRubricScores(db: Database, benchId: string): Promise<RecordedRubricScore[]> {
  const rows = await db
    .selectFrom('bench_rubric_scores')
    .select(['agent', 'version', 'subject', 'judge', 'state', 'marks', 'reason', 'detail'])
    .select('call_key as callKey')
    .where('bench_id', '=', benchId)
    .execute();
  return rows
    .map(({ state, marks, reason, detail, ...row }) => ({
      ...row,
      outcome:
        state === 'valid'
          ? { state, marks: marks ?? [] }
          : { state, reason: reason ?? 'unreadable', detail: detail ?? '' },
    }))
    .sort(
      (one, other) =>
        compareText(one.agent, other.agent) ||
        one.version - other.version ||
        compareText(one.judge, other.judge) ||
        compareText(one.subject, other.subject),
    );
}

/** What became of one piece of work; null: nothing yet. */
export async function readRubricState(
  db: Database,
  benchId: string,
  { agent, version, subject, judge }: Omit<RubricScore, 'outcome'>,
): Promise<'valid' | 'invalid' | null> {
  const row = await db
    .selectFrom('bench_rubric_scores')
    .select('state')
    .where('bench_id', '=', benchId)
    .where('agent', '=', agent)
    .where('version', '=', version)
    .where('subject', '=', subject)
    .where('judge', '=', judge)
    .executeTakeFirst();
  return row?.state ?? null;
}

/** Copies of what another database has. */
export async function insertRubricScores(
  db: Database,
  benchId: string,
  scores: readonly RecordedRubricScore[],
): Promise<void> {
  for (const rows of insertParts(scores)) {
    await db
      .insertInto('bench_rubric_scores')
      .values(rows.map((score) => rowOf(benchId, score)))
      .execute();
  }
}

function rowOf(benchId: string, { agent, version, subject, judge, callKey, outcome }: RecordedRubricScore) {
  const isValid = outcome.state === 'valid';
  return {
    ...{ bench_id: benchId, agent, version, subject, judge, call_key: callKey, state: outcome.state },
    marks: isValid ? maybeJsonb(outcome.marks) : null,
    reason: isValid ? null : outcome.reason,
    detail: isValid ? null : toStorable(outcome.detail),
  };
}

/** What of a bench there is to score, by id, in the order of the ids. */
export async function readRubricSubjects(
  db: Database,
  benchId: string,
): Promise<Record<EvalAgent, string[]>> {
  const hypotheses = await db
    .selectFrom('bench_hypotheses')
    .select('id')
    .where('bench_id', '=', benchId)
    .where('state', 'in', KEPT_STATES)
    .orderBy('id')
    .execute();
  const reviews = await db
    .selectFrom('bench_reviews')
    .select('hypothesis_id as id')
    .where('bench_id', '=', benchId)
    .where('state', '=', 'valid')
    .orderBy('hypothesis_id')
    .execute();
  const matches = await db
    .selectFrom('bench_matches')
    .select('id')
    .where('bench_id', '=', benchId)
    .where('state', '=', 'played')
    .orderBy('index')
    .execute();
  const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
  return {
    generation: ids(hypotheses),
    reflection: ids(reviews),
    ranking: ids(matches),
    overview: [benchId],
  };
}

export async function readReview(
  db: Database,
  hypothesisId: string,
): Promise<Record<string, unknown> | null> {
  const row = await db
    .selectFrom('bench_reviews')
    .select('review')
    .where('hypothesis_id', '=', hypothesisId)
    .where('state', '=', 'valid')
    .executeTakeFirst();
  return row?.review ?? null;
}

/** A match's first valid verdict that counts; null: there is none. */
export async function readFirstVerdict(db: Database, matchId: string) {
  const rows = await db
    .selectFrom('bench_verdicts')
    .select(['judge', 'order', 'repeat', 'state', 'winner_position as winner', 'rationale', 'scores'])
    .where('match_id', '=', matchId)
    .execute();
  return firstVerdict(rows);
}
