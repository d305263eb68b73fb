import { OFFICIAL_BOOTSTRAP } from '../core/scipivot/bootstrap';
import { compareSubjects, type ScoredSubject } from '../core/scipivot/compare';
import type { Reference } from '../core/scipivot/public-case';
import { ruleSession, scoreCases, scorePredictions } from '../core/scipivot/score';
import { readOwnedBench } from '../db/benches';
import { readCandidates } from '../db/candidates';
import type { Database } from '../db/database';
import { readSessions, readSubjects } from '../db/scipivot';
import { readKeyAccess } from '../db/scipivot-access';
import { saveComparison, saveGrade } from '../db/scipivot-grades';
import { readAnswerKey } from '../db/scipivot-sets';
import type { SubjectRole } from '../db/scipivot-tables';
import type { ActivityDeps, BenchRef } from './activity-deps';
import { readJson } from './strict-json';

/**
 * Before anything is paid: somebody can grade it.
 * @returns what is wrong; empty: all is well
 */
export function createCheckScipivotGrader({ graderDb }: Pick<ActivityDeps, 'graderDb'>) {
  return async function checkScipivotGrader(input: BenchRef): Promise<string[]> {
    const db = needGrader(graderDb);
    const { plan } = await readOwnedBench(db, input);
    if (plan.scipivot === null) return [];
    const { role, readsAll } = await readKeyAccess(db);
    if (!readsAll) return [`scipivot: role ${role} of the grader may not read the references`];
    return (await readAnswerKey(db, plan.scipivot)) ? [] : [`scipivot: ${plan.scipivot} has no references`];
  };
}

/**
 * Grades whoever was asked, and compares them. Runs where the grader's role is, draws nothing but with the fixed seed,
 * and hands back counts: what leaves it are sums over all cases.
 */
export function createGradeScipivot({ graderDb }: Pick<ActivityDeps, 'graderDb'>) {
  return async function gradeScipivot(
    input: BenchRef & { role: SubjectRole },
  ): Promise<{ nSubjects: number; nCases: number }> {
    const db = needGrader(graderDb);
    const { plan } = await readOwnedBench(db, input);
    const key = await readAnswerKey(db, plan.scipivot ?? '');
    if (!key) throw new Error(`SciΠvot: no references of ${plan.scipivot}`);
    const graded: ScoredSubject[] = [];
    for (const subject of await askedSubjects(db, input)) {
      graded.push(await gradeSubject(db, { benchId: input.benchId, subject }, key.references));
    }
    await saveComparison(db, input, compareSubjects(graded, OFFICIAL_BOOTSTRAP));
    return { nSubjects: graded.length, nCases: key.references.length };
  };
}

/** Who was dropped, broke or ran out of money is not graded: what was not asked of them is not theirs to have got wrong. */
async function askedSubjects(
  db: Database,
  { benchId, role }: { benchId: string; role: SubjectRole },
): Promise<string[]> {
  const dropped = (await readCandidates(db, benchId)).filter(({ state }) => state === 'dropped');
  return (await readSubjects(db, benchId))
    .filter((row) => row.role === role && row.state === 'asked')
    .filter(({ subject }) => role === 'judge' || !dropped.some(({ label }) => label === subject))
    .map(({ subject }) => subject);
}

async function gradeSubject(
  db: Database,
  asked: { benchId: string; subject: string },
  references: readonly Reference[],
): Promise<ScoredSubject> {
  const sessions = await readSessions(db, asked);
  const predictions = sessions.map((session) => ruleSession(session, readJson));
  const score = scorePredictions(references, predictions, OFFICIAL_BOOTSTRAP);
  const cases = scoreCases(references, predictions);
  await saveGrade(db, asked, { score, cases });
  return { subject: asked.subject, scores: cases.map((one) => one.score) };
}

function needGrader(graderDb: Database | null): Database {
  if (!graderDb) throw new Error('this worker has no grader role (set DATABASE_GRADER_URL)');
  return graderDb;
}
