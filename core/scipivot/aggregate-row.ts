/**
 * One released aggregate: a model under one condition. Figures stand as printed, so that a check can allow
 * exactly the rounding they were printed with.
 */
export interface AggregateRow {
  /** The row's line in its file, from 1. */
  line: number;
  model: string;
  condition: string;
  /** null where the file has no such column. */
  effort: string | null;
  nCorrect: number;
  /** Sessions planned or run: the strict denominator. */
  nRuns: number;
  /** Sessions whose answer could be read: the parsed-only denominator. */
  nParsed: number;
  /** null where the file has no such column: then the released questions' number. */
  nCases: number | null;
  accuracy: PrintedShare | null;
  caseAccuracy: PrintedShare;
  parsedAccuracy: PrintedShare | null;
}

/** A share as printed: `63.71` in a column of percentages is 0.6371 give or take 0.00005. */
export interface PrintedShare {
  /** From 0 to 1. */
  value: number;
  /** Half a unit of the last printed place, as a share. */
  tolerance: number;
}

/**
 * How a row's case accuracy can have come about. `equal_weights`: it is correct / n_runs, as when every case
 * has both orders. `surviving_orders`: it is not, but some way of losing n_runs − n_parsed answers gives it
 * when a case is averaged over the orders that survived. The totals cannot tell which way it was.
 */
export type CaseAccuracyReading = 'equal_weights' | 'surviving_orders';

export interface AggregateRuling {
  caseAccuracyReading: CaseAccuracyReading | null;
  /** What contradicts itself, as `column: rule`. Empty: the row's arithmetic agrees. */
  problems: string[];
}

/** Checks a row's arithmetic by itself; no score is recomputed, for no answer is in it. */
export function ruleAggregateRow(row: AggregateRow, nReleasedCases: number): AggregateRuling {
  const counts = countProblems(row, nReleasedCases);
  if (counts.length > 0) return { caseAccuracyReading: null, problems: counts };
  const problems: string[] = [];
  if (row.accuracy !== null && !agrees(row.accuracy, row.nCorrect / row.nRuns)) {
    problems.push(`accuracy: not correct / n_runs = ${row.nCorrect} / ${row.nRuns}`);
  }
  if (row.parsedAccuracy !== null && !parsedAgrees(row.parsedAccuracy, row)) {
    problems.push(`parsed accuracy: not correct / n_parsed = ${row.nCorrect} / ${row.nParsed}`);
  }
  const reading = readCaseAccuracy(row, row.nCases ?? nReleasedCases);
  if (reading === null) {
    problems.push(
      'case accuracy: neither correct / n_runs nor a mean over surviving orders that these counts allow',
    );
  }
  return { caseAccuracyReading: reading, problems };
}

function countProblems({ nCorrect, nRuns, nParsed, nCases }: AggregateRow, nReleasedCases: number): string[] {
  const problems: string[] = [];
  if (nCases !== null && nCases > nReleasedCases) {
    problems.push(`n_cases: more than the ${nReleasedCases} released: ${nCases}`);
  }
  if (nRuns < 1) problems.push(`n_runs: at least 1, not ${nRuns}`);
  if (nParsed > nRuns) problems.push(`n_parsed: more than n_runs: ${nParsed} > ${nRuns}`);
  if (nCorrect > nParsed) problems.push(`correct: more than n_parsed: ${nCorrect} > ${nParsed}`);
  return problems;
}

function agrees(printed: PrintedShare, exact: number): boolean {
  // A share has at most 16 digits, so the floor only forgives the last bits of a double.
  return Math.abs(printed.value - exact) <= Math.max(printed.tolerance, 1e-12) + 1e-12;
}

/** With no parsed answer the quotient has no value, and a printed 0 claims none. */
function parsedAgrees(printed: PrintedShare, { nCorrect, nParsed }: AggregateRow): boolean {
  return nParsed === 0 ? printed.value === 0 : agrees(printed, nCorrect / nParsed);
}

function readCaseAccuracy(row: AggregateRow, nCases: number): CaseAccuracyReading | null {
  if (agrees(row.caseAccuracy, row.nCorrect / row.nRuns)) return 'equal_weights';
  const range = survivingRange(row.nCorrect, row.nParsed, nCases);
  if (range === null) return null;
  const { value, tolerance } = row.caseAccuracy;
  const isInside = value >= range.low - tolerance - 1e-12 && value <= range.high + tolerance + 1e-12;
  return isInside ? 'surviving_orders' : null;
}

/**
 * The least and the greatest mean of case scores, each over the orders that survived, that `nCorrect` of
 * `nParsed` answers in at most `nCases` cases can give. With s cases of one answer and d of two, s + 2d =
 * nParsed; a right answer is worth 1 in the former and ½ in the latter. null: no such split.
 */
export function survivingRange(
  nCorrect: number,
  nParsed: number,
  nCases: number,
): { low: number; high: number } | null {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let doubles = Math.max(0, nParsed - nCases); 2 * doubles <= nParsed; doubles++) {
    const singles = nParsed - 2 * doubles;
    if (singles + doubles === 0) continue;
    const mean = (rightSingles: number) => (rightSingles + nCorrect) / 2 / (singles + doubles);
    low = Math.min(low, mean(Math.max(0, nCorrect - 2 * doubles)));
    high = Math.max(high, mean(Math.min(nCorrect, singles)));
  }
  return low <= high ? { low, high } : null;
}
