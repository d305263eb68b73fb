import type { ActivityDeps } from './activity-deps';
import { createCheckScipivotGrader, createGradeScipivot } from './grade-scipivot';
import { createScoreGoldSet } from './score-gold-set';

/** Activities that see answer keys: on the grader's queue. */
export function createGraderActivities(deps: Pick<ActivityDeps, 'graderDb'>) {
  return {
    scoreGoldSet: createScoreGoldSet(deps),
    checkScipivotGrader: createCheckScipivotGrader(deps),
    gradeScipivot: createGradeScipivot(deps),
  };
}

export type GraderActivities = ReturnType<typeof createGraderActivities>;
