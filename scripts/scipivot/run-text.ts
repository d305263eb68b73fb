import { costText, countText, NONE } from '../../core/report/figure-text';
import type { ScipivotScore } from '../../core/scipivot/score';
import { failuresOf, type ScipivotSubject, type ScipivotSummary } from '../../core/scipivot/summary';
import release from '../../presets/scipivot/official-release.json';
import { splitTable, type ValueColumn } from '../bench/split-table';
import { hangingLines } from '../bench/wrapped-text';

/** What failures are wrapped at where there is no room. */
const FAILURES_WIDTH = 24;

interface TextOptions {
  isSimulated: boolean;
  /** Of the terminal. */
  width: number;
  bold: (text: string) => string;
}

/** What a bench's sessions came to, for a terminal: a table, the differences, and what was published, apart. */
export function scipivotText(summary: ScipivotSummary, options: TextOptions): string {
  const { dataSet, nCases, isPinned, promptsSha256 } = summary;
  const pin = isPinned ? 'pinned, as its references state' : 'unpinned';
  const hanging = (lines: string[]) => lines.flatMap((line) => hangingLines(line, options.width));
  return [
    ...hanging([
      `SciΠvot, options only: ${countText(nCases, 'case')} of ${dataSet} (${pin}), each in both orders`,
    ]),
    '',
    subjectTable(summary, options),
    ...hanging(differenceLines(summary)),
    '',
    ...hanging(publishedLines(promptsSha256)),
  ].join('\n');
}

const ASKED: ValueColumn<ScipivotSubject> = {
  name: 'asked',
  value: ({ subject, role }) => (role === 'judge' ? `judge ${subject}` : subject),
};

function subjectTable({ subjects }: ScipivotSummary, { isSimulated, width, bold }: TextOptions): string {
  const scored = (of: (score: ScipivotScore) => string) => (one: ScipivotSubject) =>
    one.score ? of(one.score) : NONE;
  const columns: ValueColumn<ScipivotSubject>[] = [
    ASKED,
    { name: 'score', align: 'right', value: scored((score) => percent(score.mean)) },
    {
      name: '95 % interval',
      align: 'right',
      value: scored(({ interval }) => `${percent(interval.low)} to ${percent(interval.high)}`),
    },
    { name: 'consistent', align: 'right', value: scored((score) => percent(score.orderConsistency)) },
    { name: 'A-rate', align: 'right', value: scored((score) => percent(score.shownFirstRate)) },
    { name: 'bias p', align: 'right', value: scored((score) => formatP(score.positionBias.pValue)) },
    { name: isSimulated ? 'simulated $' : 'cost', align: 'right', value: costText },
    { name: 'failures, all wrong', tightWidth: FAILURES_WIDTH, value: failureText },
  ];
  return splitTable(columns, subjects, { label: ASKED, width, bold });
}

/** What went wrong by kind; before it was graded, how far it is. */
function failureText(one: ScipivotSubject): string {
  const { score, state, reason, nEnded, nSessions } = one;
  const parts = Object.entries(score ? failuresOf(score) : {}).map(([kind, n]) => `${kind} ${n}`);
  if (state !== 'asked') parts.push(reason ? `${state}: ${reason}` : state.replace('_', ' '));
  if (score === null) parts.push(`${nEnded} of ${nSessions} sessions`);
  return parts.join(', ') || NONE;
}

const WORDS = {
  better: 'better',
  worse: 'worse',
  no_difference: 'no difference',
  underpowered: 'not told apart',
  too_few: 'too few cases',
  uninformative_judge: 'not comparable',
} as const;
const MOST_PAIRS = 20;

function differenceLines({ differences, margin }: ScipivotSummary): string[] {
  if (differences.length === 0) return [];
  const lines = differences.slice(0, MOST_PAIRS).map(({ a, b, mean, amongAll, word }) => {
    const interval = amongAll ? `, ${points(amongAll.low)} to ${points(amongAll.high)}` : '';
    return `  ${a} − ${b}: ${points(mean)}${interval}: ${WORDS[word]}`;
  });
  if (differences.length > MOST_PAIRS) lines.push(`  … ${differences.length} pairs in all`);
  return [
    '',
    `paired differences in points, intervals that hold for all pairs at once (margin ${((margin ?? 0) * 100).toFixed(0)}):`,
    ...lines,
  ];
}

/** Published figures stand apart: they are not ours, and of another prompt. */
function publishedLines(promptsSha256: string): string[] {
  const { label, options_only: optionsOnly, project } = release.published;
  return [
    `${label} (${optionsOnly.condition}):`,
    ...optionsOnly.rows.map(
      ({ model, correct, n_runs, percent: share }) => `  ${model}: ${share} % (${correct}/${n_runs})`,
    ),
    `${project.condition}:`,
    ...project.rows.map(({ who, percent: share }) => `  ${who}: ${share} %`),
    `comparable only when ${release.published.comparable_when}; ours: ${promptsSha256.slice(0, 16)}…`,
    'The official files were not at hand when this was written. Diagnostic only: no ground for promotion.',
  ];
}

function percent(share: number | null): string {
  return share === null ? 'unknown' : `${(share * 100).toFixed(2)} %`;
}

function points(share: number): string {
  const shown = (share * 100).toFixed(2);
  return share > 0 ? `+${shown}` : shown.replace('-', '−');
}

function formatP(p: number | null): string {
  if (p === null) return NONE;
  return p < 0.001 ? '< 0.001' : p.toFixed(3);
}
