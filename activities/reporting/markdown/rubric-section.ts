import type { BenchReport } from '../../../core/report/bench-report';
import {
  RUBRIC_COLUMNS,
  RUBRIC_INTERVAL,
  RUBRIC_NOTE,
  rubricCautions,
  rubricCells,
  rubricCostText,
  rubricTitle,
} from '../../../core/report/rubric-words';
import { inline, table } from './markdown-text';

/** Scores by judges' rubrics under a heading of their own; nothing where there are none. */
export function rubricLines({ rubric }: BenchReport): string[] {
  if (rubric === null) return [];
  const [of, mean, interval, scored, unscored] = RUBRIC_COLUMNS;
  const right = 'right' as const;
  const columns = [
    { name: of },
    { name: mean, align: right },
    { name: interval },
    { name: scored, align: right },
    { name: unscored },
  ];
  return [
    '### Rubric scores',
    `${RUBRIC_NOTE} ${RUBRIC_INTERVAL} ${rubricCostText(rubric)}`,
    ...rubric.parts.flatMap((part) => [
      [`${rubricTitle(part)}.`, ...rubricCautions(part)].map((sentence) => inline(sentence)).join(' '),
      table(
        columns,
        part.rows.map((row) => {
          const [author = '', ...figures] = rubricCells(row);
          return [inline(author), ...figures];
        }),
      ),
    ]),
  ];
}
