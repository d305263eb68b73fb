import type { BenchReport } from '../../../core/report/bench-report';
import {
  SCIPIVOT_NOTE,
  scipivotCautions,
  scipivotColumns,
  scipivotDifferences,
  scipivotTitle,
} from '../../../core/report/scipivot-words';
import { inline, list, rowTable } from './markdown-text';

/** SciΠvot under a heading of its own; nothing where nobody was asked. */
export function scipivotLines({ summary: { scipivot }, isSimulated }: BenchReport): string[] {
  if (!scipivot) return [];
  const told = scipivotDifferences(scipivot);
  return [
    '### SciΠvot',
    `${inline(scipivotTitle(scipivot))}.`,
    rowTable(scipivotColumns(isSimulated), scipivot.subjects),
    ...(told ? [inline(told.head), list(told.lines.map((line) => inline(line)))] : []),
    SCIPIVOT_NOTE,
    inline(scipivotCautions(scipivot).join(' '), 1000),
  ];
}
