import { compareText } from '../core/compare-text';
import type { RecordedScipivot } from '../core/report/recorded-scipivot';
import type { Database } from './database';
import { readGrades } from './scipivot-grades';

/**
 * What a bench's SciΠvot came to, as far as the role that runs candidates may see it: the public half of its data set,
 * who was asked, how each session ended, and sums over all cases. Labels, and scores of single cases, are nobody's to
 * give away, and are not read here.
 * @returns null where the bench has none, or nobody has been asked yet
 */
export async function readRecordedScipivot(
  db: Database,
  benchId: string,
  setName: string | null | undefined,
): Promise<RecordedScipivot | null> {
  if (!setName) return null; // plans written before there was SciΠvot do not have the field
  const subjects = await readSubjectRows(db, benchId);
  if (subjects.length === 0) return null;
  const dataSet = await db
    .selectFrom('bench_scipivot_sets')
    .select(['name', 'n_cases as nCases', 'prompts_sha256 as promptsSha256'])
    .select(['prompts_bytes as promptsBytes', 'is_pinned as isPinned'])
    .where('name', '=', setName)
    .executeTakeFirstOrThrow();
  const grades = await readGrades(db, benchId);
  const scores = [...grades.scores].map(([subject, score]) => ({ subject, score }));
  const comparisons = [...grades.comparisons].map(([role, comparison]) => ({ role, comparison }));
  return {
    dataSet,
    prompts: await readPrompts(db, setName),
    subjects,
    sessions: await readSessionRows(db, benchId),
    scores: scores.sort((one, other) => compareText(one.subject, other.subject)),
    comparisons: comparisons.sort((one, other) => compareText(one.role, other.role)),
  };
}

async function readSubjectRows(db: Database, benchId: string): Promise<RecordedScipivot['subjects']> {
  return db
    .selectFrom('bench_scipivot_subjects')
    .select(['subject', 'role', 'position', 'provider', 'model', 'state'])
    .select(['failure_kind as failureKind', 'hold_reason as holdReason'])
    .where('bench_id', '=', benchId)
    .orderBy('role')
    .orderBy('position')
    .execute();
}

async function readPrompts(db: Database, setName: string): Promise<RecordedScipivot['prompts']> {
  return db
    .selectFrom('bench_scipivot_prompts')
    .select(['position', 'case_id as caseId', 'order', 'prompt'])
    .where('set_name', '=', setName)
    .orderBy('position')
    .execute();
}

async function readSessionRows(db: Database, benchId: string): Promise<RecordedScipivot['sessions']> {
  const rows = await db
    .selectFrom('bench_scipivot_sessions')
    .select(['subject', 'position', 'epoch', 'status', 'response', 'reason', 'call_key as callKey'])
    .where('bench_id', '=', benchId)
    .execute();
  return rows.sort((one, other) => compareText(one.subject, other.subject) || one.position - other.position);
}
