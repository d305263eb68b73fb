import type { Comparison } from '../core/scipivot/compare';
import type { CaseScore, ScipivotScore } from '../core/scipivot/score';
import type { Database } from './database';
import type { SubjectRole } from './scipivot-tables';

/**
 * Writes what a subject's sessions came to; a later grading of more sessions replaces an earlier one.
 * @param db as the grader
 * @param cases stay where the grader alone can read them
 */
export async function saveGrade(
  db: Database,
  { benchId, subject }: { benchId: string; subject: string },
  grade: { score: ScipivotScore; cases: readonly CaseScore[] },
): Promise<void> {
  const row = { bench_id: benchId, subject };
  await db.transaction().execute(async (tx) => {
    await deleteGrade(tx, row);
    await tx
      .insertInto('bench_scipivot_scores')
      .values({ ...row, score: JSON.stringify(grade.score) })
      .execute();
    await tx
      .insertInto('bench_scipivot_case_scores')
      .values(grade.cases.map(({ caseId, score }) => ({ ...row, case_id: caseId, score })))
      .execute();
  });
}

async function deleteGrade(
  db: Database,
  { bench_id, subject }: { bench_id: string; subject: string },
): Promise<void> {
  for (const table of ['bench_scipivot_scores', 'bench_scipivot_case_scores'] as const) {
    await db.deleteFrom(table).where('bench_id', '=', bench_id).where('subject', '=', subject).execute();
  }
}

/** @param db as the grader */
export async function saveComparison(
  db: Database,
  { benchId, role }: { benchId: string; role: SubjectRole },
  comparison: Comparison,
): Promise<void> {
  const text = JSON.stringify(comparison);
  await db
    .insertInto('bench_scipivot_comparisons')
    .values({ bench_id: benchId, role, comparison: text })
    .onConflict((conflict) => conflict.columns(['bench_id', 'role']).doUpdateSet({ comparison: text }))
    .execute();
}

/** What was graded so far, in sums over all cases. */
export interface Grades {
  scores: Map<string, ScipivotScore>;
  comparisons: Map<SubjectRole, Comparison>;
}

export async function readGrades(db: Database, benchId: string): Promise<Grades> {
  const scores = await db
    .selectFrom('bench_scipivot_scores')
    .select(['subject', 'score'])
    .where('bench_id', '=', benchId)
    .execute();
  const comparisons = await db
    .selectFrom('bench_scipivot_comparisons')
    .select(['role', 'comparison'])
    .where('bench_id', '=', benchId)
    .execute();
  return {
    scores: new Map(scores.map(({ subject, score }) => [subject, score])),
    comparisons: new Map(comparisons.map(({ role, comparison }) => [role, comparison])),
  };
}
