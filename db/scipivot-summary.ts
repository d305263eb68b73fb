import type { BenchPlan } from '../core/bench-plan';
import { keyPart } from '../core/ids';
import { SCIPIVOT_LIMITS } from '../core/scipivot/limits';
import type { ScipivotSummary } from '../core/scipivot/summary';
import { readSessionCosts } from './costs';
import type { Database } from './database';
import { countSessions, readSubjects } from './scipivot';
import { readGrades } from './scipivot-grades';
import { readDataSets } from './scipivot-sets';

/** What a bench's SciΠvot sessions have come to by now; undefined where the bench has none. */
export async function readScipivotSummary(
  db: Database,
  benchId: string,
  { scipivot }: Pick<BenchPlan, 'scipivot'>,
): Promise<ScipivotSummary | undefined> {
  // Plans written before there was SciΠvot do not have the field.
  if (!scipivot) return undefined;
  const set = (await readDataSets(db)).find(({ name }) => name === scipivot);
  // A bench that was brought here from another database, whose data sets did not come with it.
  if (!set) return undefined;
  const { name, nCases, promptsSha256, isPinned } = set;
  const { scores, comparisons } = await readGrades(db, benchId);
  const costs = await readSessionCosts(db, benchId);
  const counts = await countSessions(db, benchId);
  const graded = [comparisons.get('candidate'), comparisons.get('judge')].flatMap((one) => one ?? []);
  const subjects = (await readSubjects(db, benchId)).map(({ failureKind, holdReason, ...row }) => ({
    ...row,
    reason: failureKind ?? holdReason,
    nEnded: counts.filter(({ subject }) => subject === row.subject).reduce((sum, { n }) => sum + n, 0),
    score: scores.get(row.subject) ?? null,
    costUsd: costs.get(keyPart(row.subject))?.costUsd ?? 0,
    nUnknownCost: costs.get(keyPart(row.subject))?.nUnknownCost ?? 0,
    inDoubtUsd: costs.get(keyPart(row.subject))?.inDoubtUsd ?? 0,
  }));
  return {
    dataSet: name,
    nCases,
    promptsSha256,
    isPinned,
    subjects,
    differences: graded.flatMap(({ differences }) => differences),
    margin: graded[0]?.margin ?? null,
    limits: SCIPIVOT_LIMITS,
  };
}
