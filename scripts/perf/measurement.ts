/** One line of the table: what was measured, and what it is held against in the same run. */
export interface Measurement {
  /** (a) to (e). */
  part: string;
  what: string;
  measured: string;
  against: string;
  /** null: a figure without a bound. */
  ratio: number | null;
  /** The most or the least that the ratio may be; null: it is told, and held against nothing. */
  bound: { kind: 'at most' | 'at least'; ratio: number } | null;
}

export function isKept({ ratio, bound }: Measurement): boolean {
  if (bound === null || ratio === null) return true;
  return bound.kind === 'at most' ? ratio <= bound.ratio : ratio >= bound.ratio;
}

/** As cells: part, what, measured, against, ratio, bound. */
export function cells(measurement: Measurement): string[] {
  const { part, what, measured, against, ratio, bound } = measurement;
  const verdict =
    bound === null ? '–' : `${bound.kind} ${bound.ratio}${isKept(measurement) ? '' : ' — NOT KEPT'}`;
  return [part, what, measured, against, ratio === null ? '–' : ratio.toFixed(2), verdict];
}

export const COLUMNS = ['', 'measured', 'figure', 'held against, in the same run', 'ratio', 'bound'];
