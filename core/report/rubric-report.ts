import { compareText } from '../compare-text';
import { countWords } from '../count-words';
import type { EvalAgent } from '../evaluation/eval-check';
import { EVAL_AGENTS } from '../evaluation/eval-check';
import { type Rubric, totalOf } from '../evaluation/rubric';
import { meanOf } from '../mean';
import { formatModelRef } from '../model-ref';
import { type Interval, singleInterval } from '../ratings/interval';
import { firstVerdict } from './first-verdict';
import type { RecordedBench } from './recorded-bench';
import type { RecordedRubric, RecordedRubricScore } from './recorded-rubric';

/** Scores that judges gave a bench's work after its end. */
export interface RubricReport {
  /** What they cost, calls in doubt with their bounds; USD. */
  heldUsd: number;
  /** By agent in the order of the work, then version and judge. */
  parts: RubricPart[];
}

/** One judge's scores of one agent's work by one version of its rubric. */
export interface RubricPart {
  agent: EvalAgent;
  version: number;
  /** `provider:model` */
  judge: string;
  /** It is a candidate's model, and scores work of its own too. */
  isOwn: boolean;
  isSimulated: boolean;
  /** False: this program has another version of the rubric, so that its marks cannot be weighted. */
  isKnown: boolean;
  rows: RubricRow[];
}

export interface RubricRow {
  /** Whose work it is: a candidate's label, a reviewer or a judge as `provider:model`, or `the report`. */
  author: string;
  /** Pieces of work that have a total. */
  scored: number;
  /** Pieces of work that have none, by reason; `no_marks`: the judge left all criteria out. */
  unscored: Record<string, number>;
  /** Of the totals, 1 to 5; null: there is none. */
  mean: number | null;
  /**
   * Of the mean of further pieces like these: Student's t at 95 %, for this author alone, kept to the scale. null where
   * fewer than two pieces have a total, or all have the same, which would make it a point.
   */
  interval: Interval | null;
}

/** @param rubrics as this program has them */
export function reportRubric(record: RecordedBench, rubrics: readonly Rubric[]): RubricReport | null {
  const { rubric } = record;
  if (rubric === null) return null;
  return {
    heldUsd: rubric.budget.heldUsd,
    parts: partsOf(rubric).map((scores) => reportPart(record, scores, rubrics)),
  };
}

function partsOf({ scores }: RecordedRubric): RecordedRubricScore[][] {
  const parts = new Map<string, RecordedRubricScore[]>();
  for (const score of scores) {
    const part = JSON.stringify([score.agent, score.version, score.judge]);
    parts.set(part, [...(parts.get(part) ?? []), score]);
  }
  return [...parts.values()].sort(
    ([one], [other]) =>
      EVAL_AGENTS.indexOf(one!.agent) - EVAL_AGENTS.indexOf(other!.agent) ||
      one!.version - other!.version ||
      compareText(one!.judge, other!.judge),
  );
}

function reportPart(
  record: RecordedBench,
  scores: readonly RecordedRubricScore[],
  rubrics: readonly Rubric[],
): RubricPart {
  const { agent, version, judge } = scores[0]!;
  const rubric = rubrics.find((one) => one.name === agent && one.version === version) ?? null;
  const authorOf = authors(record, agent);
  const byAuthor = new Map<string, RecordedRubricScore[]>();
  // A candidate of whose work nothing was drawn, or nothing is left, is told too.
  if (agent === 'generation') for (const { label } of record.candidates) byAuthor.set(label, []);
  for (const score of scores) {
    const author = authorOf.get(score.subject) ?? score.subject;
    byAuthor.set(author, [...(byAuthor.get(author) ?? []), score]);
  }
  const rows = [...byAuthor].map(([author, own]) => reportRow(author, own, rubric));
  return {
    ...{ agent, version, judge, isKnown: rubric !== null },
    isOwn: record.candidates.some((candidate) => formatModelRef(candidate) === judge),
    isSimulated: judge.startsWith('sim:'),
    rows: agent === 'generation' ? rows : rows.sort((one, other) => compareText(one.author, other.author)),
  };
}

/** Who made each piece of work, by its id. */
function authors(record: RecordedBench, agent: EvalAgent): Map<string, string> {
  const labels = new Map(record.candidates.map(({ id, label }) => [id, label]));
  switch (agent) {
    case 'generation':
      return new Map(record.hypotheses.map((h) => [h.id, labels.get(h.candidateId) ?? h.candidateId]));
    case 'reflection':
      return new Map(record.hypotheses.flatMap(({ id, review }) => (review ? [[id, review.reviewer]] : [])));
    case 'ranking':
      return new Map(
        record.matches.flatMap(({ id, verdicts }) => {
          const verdict = firstVerdict(verdicts);
          return verdict ? [[id, verdict.judge]] : [];
        }),
      );
    case 'overview':
      return new Map([[record.run.benchId, 'the report']]);
  }
}

function reportRow(author: string, scores: readonly RecordedRubricScore[], rubric: Rubric | null): RubricRow {
  const ends = scores.map(({ outcome }) => totalOf(rubric, outcome));
  const totals = ends.flatMap((end) => ('total' in end ? [end.total] : []));
  const reasons = ends.flatMap((end) => ('reason' in end ? [end.reason] : []));
  const mean = meanOf(totals);
  return {
    ...{ author, scored: totals.length, unscored: countWords(reasons), mean },
    interval: mean === null ? null : intervalOf(totals, mean),
  };
}

const [LOWEST_MARK, HIGHEST_MARK] = [1, 5];

function intervalOf(totals: readonly number[], mean: number): Interval | null {
  const degrees = totals.length - 1;
  const squares = totals.reduce((sum, total) => sum + (total - mean) ** 2, 0);
  if (degrees < 1 || totals.every((total) => total === totals[0])) return null;
  const standardError = Math.sqrt(squares / degrees / totals.length);
  const { low, high } = singleInterval({ estimate: mean, standardError, degrees });
  return { low: Math.max(LOWEST_MARK, low), high: Math.min(HIGHEST_MARK, high) };
}
