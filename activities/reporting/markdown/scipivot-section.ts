import type { BenchReport } from '../../../core/report/bench-report';
import {
  SCIPIVOT_NOTE,
  scipivotCautions,
  scipivotColumns,
  scipivotDifferences,
  scipivotTitle,
} from '../../../core/report/scipivot-words';
import { inline, list, table } from './markdown-text';

/** SciΠvot under a heading of its own; nothing where nobody was asked. */
export function scipivotLines({ summary: { scipivot }, isSimulated }: BenchReport): string[] {
  if (!scipivot) return [];
  const columns = scipivotColumns(isSimulated);
  const told = scipivotDifferences(scipivot);
  return [
    '### SciΠvot',
    `${inline(scipivotTitle(scipivot))}.`,
    table(
      columns.map(({ name, isFigure }) => (isFigure ? { name, align: 'right' } : { name })),
      scipivot.subjects.map((subject) =>
        columns.map(({ value, isFigure }) => (isFigure ? value(subject) : inline(value(subject)))),
      ),
    ),
    ...(told ? [inline(told.head), list(told.lines.map((line) => inline(line)))] : []),
    SCIPIVOT_NOTE,
    inline(scipivotCautions(scipivot).join(' '), 1000),
  ];
}
