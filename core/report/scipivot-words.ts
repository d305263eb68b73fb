import type { DifferenceWord } from '../ratings/difference-word';
import type { Interval } from '../ratings/interval';
import type { ScipivotScore } from '../scipivot/score';
import { failuresOf, type ScipivotSubject, type ScipivotSummary } from '../scipivot/summary';
import { costText, countText, NONE } from './figure-text';
import { figures, givenWords, type ReportColumn } from './report-column';

/** What SciΠvot's sessions came to, as every report and the terminal word it. */

/** `SciΠvot, options only: 248 cases of fixture (unpinned), each in both orders` */
export function scipivotTitle({ dataSet, nCases, isPinned }: ScipivotSummary): string {
  const pin = isPinned ? 'pinned, as its references state' : 'unpinned';
  return `SciΠvot, options only: ${countText(nCases, 'case')} of ${dataSet} (${pin}), each in both orders`;
}

/** The columns of those who were asked. */
export function scipivotColumns(
  isSimulated: boolean,
): [ReportColumn<ScipivotSubject>, ...ReportColumn<ScipivotSubject>[]] {
  const scored = (name: string, of: (score: ScipivotScore) => string) =>
    figures<ScipivotSubject>(name, ({ score }) => (score ? of(score) : NONE));
  return [
    givenWords('asked', askedText),
    scored('score', (score) => percentText(score.mean)),
    scored('95 % interval', ({ interval }) => scoreIntervalText(interval)),
    scored('consistent', (score) => percentText(score.orderConsistency)),
    scored('A-rate', (score) => percentText(score.shownFirstRate)),
    scored('bias p', (score) => chanceText(score.positionBias.pValue)),
    figures(isSimulated ? 'simulated $' : 'cost', costText),
    givenWords('failures, all wrong', failureText),
  ];
}

export const SCIPIVOT_NOTE =
  'Score: the share of right answers over every case in both orders; what failed or could not be read is wrong. ' +
  'Consistent: cases whose two answers name the same plan, of those answered twice. A-rate: answers that name the plan shown ' +
  'first. No interval: all cases scored alike, which shows nothing of others. Bias p: exact test of a lean to one place. No score of a single case is shown: with the answer it would be the label.';

/** What it may not be read for: as its limits say. */
export function scipivotCautions({ limits }: ScipivotSummary): string[] {
  return [
    `What is measured: ${limits.measures}`,
    `The prompt: ${limits.prompt}`,
    'Diagnostic only: no ground for promotion.',
  ];
}

function askedText({ subject, role }: ScipivotSubject): string {
  return role === 'judge' ? `judge ${subject}` : subject;
}

/** What went wrong by kind; before it was graded, how far it is. */
function failureText(one: ScipivotSubject): string {
  const { score, state, reason, nEnded, nSessions } = one;
  const parts = Object.entries(score ? failuresOf(score) : {}).map(([kind, n]) => `${kind} ${n}`);
  if (state !== 'asked') parts.push(reason ? `${state}: ${reason}` : state.replace('_', ' '));
  if (score === null) parts.push(`${nEnded} of ${nSessions} sessions`);
  return parts.join(', ') || NONE;
}

const WORDS: Readonly<Record<DifferenceWord, string>> = {
  better: 'better',
  worse: 'worse',
  no_difference: 'no difference',
  underpowered: 'not told apart',
  too_few: 'too few cases',
  uninformative_judge: 'not comparable',
};
const MOST_PAIRS = 20;

/** A heading, and a line a pair; empty where there is no pair. */
export function scipivotDifferences({ differences, margin }: ScipivotSummary): {
  head: string;
  lines: string[];
} | null {
  if (differences.length === 0) return null;
  const lines = differences.slice(0, MOST_PAIRS).map(({ a, b, mean, amongAll, word }) => {
    const interval = amongAll ? `, ${pointsText(amongAll.low)} to ${pointsText(amongAll.high)}` : '';
    return `${a} − ${b}: ${pointsText(mean)}${interval}: ${WORDS[word]}`;
  });
  if (differences.length > MOST_PAIRS) lines.push(`… ${differences.length} pairs in all`);
  const shown = ((margin ?? 0) * 100).toFixed(0);
  return {
    head: `paired differences in points, intervals that hold for all pairs at once (margin ${shown}):`,
    lines,
  };
}

/** A sentence for the top of a report; null before anybody was graded. */
export function scipivotFinding(summary: ScipivotSummary): string | null {
  const scored = summary.subjects.flatMap((one) => {
    if (one.score === null) return [];
    const { mean, interval } = one.score;
    return `${askedText(one)} ${percentText(mean)} (${scoreIntervalText(interval)})`;
  });
  if (scored.length === 0) return null;
  const standing = summary.differences.filter(({ word }) => word === 'better' || word === 'worse').length;
  const pairs = summary.differences.length;
  const told = pairs === 0 ? '' : `; ${standing} of ${countText(pairs, 'paired difference')} told apart`;
  return `${scipivotTitle(summary)}: ${scored.join(', ')}${told}.`;
}

/** Resamples of cases that all scored the same are all alike: that shows nothing of other cases. */
export function scoreIntervalText({ low, high }: Interval): string {
  return low === high ? 'no interval' : `${percentText(low)} to ${percentText(high)}`;
}

function percentText(share: number | null): string {
  return share === null ? 'unknown' : `${(share * 100).toFixed(2)} %`;
}

function pointsText(share: number): string {
  const shown = (share * 100).toFixed(2);
  return share > 0 ? `+${shown}` : shown.replace('-', '−');
}

function chanceText(p: number | null): string {
  if (p === null) return NONE;
  return p < 0.001 ? '< 0.001' : p.toFixed(3);
}
