import type { ReportColumn } from '../../core/report/report-column';
import { scipivotColumns, scipivotDifferences, scipivotTitle } from '../../core/report/scipivot-words';
import type { ScipivotSubject, ScipivotSummary } from '../../core/scipivot/summary';
import release from '../../presets/scipivot/official-release.json';
import { splitTable, type ValueColumn } from '../bench/split-table';
import { hangingLines } from '../bench/wrapped-text';

/** What words, such as failures, are wrapped at where there is no room. */
const WORDS_WIDTH = 24;

interface TextOptions {
  isSimulated: boolean;
  /** Of the terminal. */
  width: number;
  bold: (text: string) => string;
}

/** What a bench's sessions came to, for a terminal: a table, the differences, and what was published, apart. */
export function scipivotText(summary: ScipivotSummary, options: TextOptions): string {
  const hanging = (lines: string[]) => lines.flatMap((line) => hangingLines(line, options.width));
  return [
    ...hanging([scipivotTitle(summary)]),
    '',
    subjectTable(summary, options),
    ...hanging(differenceLines(summary)),
    '',
    ...hanging(publishedLines(summary.promptsSha256)),
  ].join('\n');
}

function subjectTable({ subjects }: ScipivotSummary, { isSimulated, width, bold }: TextOptions): string {
  const [asked, ...more] = scipivotColumns(isSimulated);
  const label = { name: asked.name, value: asked.text };
  return splitTable([label, ...more.map(valueColumn)], subjects, { label, width, bold });
}

function valueColumn({ name, holds, text }: ReportColumn<ScipivotSubject>): ValueColumn<ScipivotSubject> {
  return holds === 'figures'
    ? { name, value: text, align: 'right' }
    : { name, value: text, tightWidth: WORDS_WIDTH };
}

function differenceLines(summary: ScipivotSummary): string[] {
  const told = scipivotDifferences(summary);
  return told === null ? [] : ['', told.head, ...told.lines.map((line) => `  ${line}`)];
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
