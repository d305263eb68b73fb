import type { EvalAgent } from '../evaluation/eval-check';
import { countsText, NONE, usdText } from './figure-text';
import { figures, givenWords, type ReportColumn, words } from './report-column';
import type { RubricPart, RubricReport, RubricRow } from './rubric-report';

/** What scores by a rubric are, for every report that shows any. */
export const RUBRIC_NOTE =
  'Marks from 1 (poor) to 5 (excellent) that one judge gave by one version of a rubric, weighted over the criteria it scored, after the bench had ended. They are that judge’s marks: not comparable with another judge’s or another version’s, and no rating or result of this bench rests on them.';

/** How the interval is made. */
export const RUBRIC_INTERVAL =
  'The interval is Student’s t at 95 % over the pieces scored, each line alone, kept to the scale; none of fewer than two pieces, or where all have the same total. What has no score is counted apart, never as a low one.';

export function rubricCostText({ heldUsd }: RubricReport): string {
  return `Scores have cost ${usdText(heldUsd)}, with calls in doubt at their bounds, apart from the bench’s own costs.`;
}

/** `Hypotheses by anthropic:claude-sonnet-4-5, rubric generation 1` */
export function rubricTitle({ agent, version, judge }: RubricPart): string {
  return `${WORK[agent]} by ${judge}, rubric ${agent} ${version}`;
}

const WORK: Record<EvalAgent, string> = {
  generation: 'Hypotheses scored',
  reflection: 'Reviews scored',
  ranking: 'Verdicts scored',
  overview: 'The report scored',
};

/** What a reader of one judge's scores must know of it. */
export function rubricCautions({ isOwn, isSimulated, isKnown, judge, agent, version }: RubricPart): string[] {
  return [
    ...(isSimulated ? [`${judge} is simulated: its scores mean nothing.`] : []),
    ...(isOwn ? [`${judge} is a candidate of this bench: it scores work of its own too.`] : []),
    ...(isKnown ? [] : [`Version ${version} of the rubric ${agent} is not known here: no mean can be made.`]),
  ];
}

export const RUBRIC_COLUMNS: readonly ReportColumn<RubricRow>[] = [
  givenWords('of', ({ author }) => author),
  figures('mean', ({ mean }) => (mean === null ? NONE : mean.toFixed(2))),
  words('95 % interval', ({ interval }) =>
    interval === null ? 'no interval' : `${interval.low.toFixed(2)} to ${interval.high.toFixed(2)}`,
  ),
  figures('scored', ({ scored }) => String(scored)),
  words('not scored', ({ unscored }) => countsText(unscored)),
];
