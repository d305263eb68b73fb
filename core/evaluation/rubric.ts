import { compareText } from '../compare-text';
import { countWords } from '../count-words';
import { meanOf } from '../mean';
import type { EvalAgent } from './eval-check';

/** What one agent's work is scored by: data, with a version that changes with its words. */
export interface Rubric {
  name: EvalAgent;
  version: number;
  criteria: readonly RubricCriterion[];
}

export interface RubricCriterion {
  name: string;
  /** Above 0; relative to the others'. */
  weight: number;
  question: string;
}

/** Pieces of work of one agent that are scored at once, at most: what one run's history has room for. */
export const MOST_OF_AN_AGENT = 200;

/** A judge's mark for one criterion, 1 (poor) to 5 (excellent). */
export interface RubricMark {
  criterion: string;
  score: number;
  reason: string;
}

/** What became of one piece of work: its marks, or why there are none. What failed has no score. */
export interface RubricScore {
  agent: EvalAgent;
  version: number;
  /** Id of a hypothesis, a match or the bench. */
  subject: string;
  /** `provider:model` */
  judge: string;
  outcome:
    | { state: 'valid'; marks: readonly RubricMark[] }
    | { state: 'invalid'; reason: string; detail: string };
}

/**
 * Mean of the marks by the weights of their criteria: Σ weight × score ÷ Σ weight, over the criteria that were scored.
 * @returns 1 to 5; null where none was scored
 */
export function weightedTotal({ criteria }: Rubric, marks: readonly RubricMark[]): number | null {
  const scored = criteria.flatMap(({ name, weight }) => {
    const mark = marks.find(({ criterion }) => criterion === name);
    return mark ? [{ weight, score: mark.score }] : [];
  });
  const weights = scored.reduce((sum, { weight }) => sum + weight, 0);
  return weights === 0 ? null : scored.reduce((sum, { weight, score }) => sum + weight * score, 0) / weights;
}

/**
 * A score's total, 1 to 5, or why it has none: the score's own reason, or that its judge left all criteria out.
 * @param rubric null: the version that was scored by is not known here
 */
export function totalOf(
  rubric: Rubric | null,
  outcome: RubricScore['outcome'],
): { total: number } | { reason: string } {
  if (outcome.state === 'invalid') return { reason: outcome.reason };
  if (rubric === null) return { reason: 'unknown_rubric' };
  const total = weightedTotal(rubric, outcome.marks);
  return total === null ? { reason: 'no_marks' } : { total };
}

/** One agent's scores by one judge. */
export interface RubricTally {
  agent: EvalAgent;
  version: number;
  judge: string;
  /** Pieces of work with a total. */
  scored: number;
  /** Mean of their totals, 1 to 5, with the least and the greatest; null: none was scored. */
  mean: number | null;
  least: number | null;
  greatest: number | null;
  /** Pieces of work without one, by reason; `no_marks`: the judge left all criteria out. */
  unscored: { reason: string; count: number }[];
  criteria: { name: string; weight: number; scored: number; mean: number | null }[];
}

/** Scores of one rubric and version, by judge in the order of their names; scores of other versions are left out. */
export function tallyRubric(rubric: Rubric, scores: readonly RubricScore[]): RubricTally[] {
  const own = scores.filter(({ agent, version }) => agent === rubric.name && version === rubric.version);
  const judges = [...new Set(own.map(({ judge }) => judge))].sort(compareText);
  return judges.map((judge) =>
    tallyJudge(
      rubric,
      judge,
      own.filter((score) => score.judge === judge),
    ),
  );
}

function tallyJudge(rubric: Rubric, judge: string, scores: readonly RubricScore[]): RubricTally {
  const ends = scores.map(({ outcome }) => totalOf(rubric, outcome));
  const totals = ends.flatMap((end) => ('total' in end ? [end.total] : []));
  const reasons = countWords(ends.flatMap((end) => ('reason' in end ? [end.reason] : [])));
  const marks = scores.flatMap(({ outcome }) => (outcome.state === 'valid' ? outcome.marks : []));
  return {
    ...{ agent: rubric.name, version: rubric.version, judge, scored: totals.length },
    mean: meanOf(totals),
    least: totals.length === 0 ? null : Math.min(...totals),
    greatest: totals.length === 0 ? null : Math.max(...totals),
    unscored: Object.entries(reasons).map(([reason, count]) => ({ reason, count })),
    criteria: rubric.criteria.map(({ name, weight }) => {
      const own = marks.filter(({ criterion }) => criterion === name).map(({ score }) => score);
      return { name, weight, scored: own.length, mean: meanOf(own) };
    }),
  };
}
