import type { BenchReport } from '../../../core/report/bench-report';
import {
  RUBRIC_COLUMNS,
  RUBRIC_INTERVAL,
  RUBRIC_NOTE,
  rubricCautions,
  rubricCostText,
  rubricTitle,
} from '../../../core/report/rubric-words';
import { inline, rowTable } from './markdown-text';

/** Scores by judges' rubrics under a heading of their own; nothing where there are none. */
export function rubricLines({ rubric }: BenchReport): string[] {
  if (rubric === null) return [];
  return [
    '### Rubric scores',
    `${RUBRIC_NOTE} ${RUBRIC_INTERVAL} ${rubricCostText(rubric)}`,
    ...rubric.parts.flatMap((part) => [
      [`${rubricTitle(part)}.`, ...rubricCautions(part)].map((sentence) => inline(sentence)).join(' '),
      rowTable(RUBRIC_COLUMNS, part.rows),
    ]),
  ];
}
