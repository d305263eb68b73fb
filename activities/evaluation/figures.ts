import type { EvalCheck } from '../../core/evaluation/eval-check';
import { candidateId } from '../../core/ids';
import { reportBench } from '../../core/report/bench-report';
import { checkFigures } from '../../core/report/check-figures';
import type { Difference } from '../../core/report/difference';
import type { RecordedBench } from '../../core/report/recorded-bench';
import { benchPageMarkdown } from '../reporting/markdown/results-page';
import { reportOptions } from '../reporting/report-options';
import { knownGoldSet } from '../reporting/verify/verify-bundle';
import { differenceAsViolation } from './stored-records';

/** Each match came to what its verdicts, made in both orders, say; nothing was decided by one alone. */
export function checkOutcomes(bench: RecordedBench): EvalCheck {
  const judged = bench.matches.filter(({ verdicts }) => verdicts.length > 0);
  const violations = differencesOf(bench).ofMatches.map(differenceAsViolation);
  const nUnplayed = bench.matches.filter(({ state }) => state === 'unplayed').length;
  const notes = nUnplayed > 0 ? [`${nUnplayed} unplayed: never scored`] : [];
  return { area: 'ranking', name: 'outcomes', unit: 'matches', checked: judged.length, violations, notes };
}

/** The summary, the ratings and each candidate's figures follow from the raw verdicts, hypotheses and calls. */
export function checkResults(bench: RecordedBench): EvalCheck {
  const isSummedUp = bench.run.summary !== null;
  const violations = isSummedUp ? differencesOf(bench).others.map(differenceAsViolation) : [];
  const notes = isSummedUp ? [] : [`the bench is ${bench.run.state}: no results are written yet`];
  const checked = isSummedUp ? bench.candidates.length : 0;
  return { area: 'overview', name: 'figures', unit: 'candidates', checked, violations, notes };
}

/** The report names every candidate of the plan, and says of which bench and goal it is. */
export function checkReport(bench: RecordedBench): EvalCheck {
  const { run, candidates } = bench;
  const check = { area: 'overview' as const, name: 'report', unit: 'candidates', notes: [] };
  if (run.summary === null) return { ...check, checked: 0, violations: [] };
  const text = reportText(bench);
  if (text === null) {
    const violations = [{ subject: run.benchId, message: 'no report can be made of it' }];
    return { ...check, checked: candidates.length, violations };
  }
  const planned = run.plan.candidates.map(({ label }) => label);
  const violations = planned
    .filter((label) => !hasLineOf(text, label))
    .map((label) => ({ subject: candidateId(run.benchId, label), message: 'is not in the report' }));
  if (!text.includes(run.benchId))
    violations.push({ subject: run.benchId, message: 'is not named in its report' });
  return { ...check, checked: candidates.length, violations };
}

/**
 * The report of a bench as words: Markdown without the backslashes that keep its signs from being read as such. null: none
 * can be made, which files that were tampered with may bring about.
 */
export function reportText(bench: RecordedBench): string | null {
  try {
    return asWords(benchPageMarkdown(reportBench(bench, reportOptions())));
  } catch {
    return null;
  }
}

/** Whether a candidate has a line in a table of the report. */
export function hasLineOf(report: string, label: string): boolean {
  return report.includes(`| ${asWords(label)} |`);
}

function asWords(text: string): string {
  return text.replaceAll('\\', '').replace(/\s+/g, ' ');
}

function differencesOf(bench: RecordedBench): { ofMatches: Difference[]; others: Difference[] } {
  const ids = new Set(bench.matches.map(({ id }) => id));
  const differences = figuresOf(bench);
  return {
    ofMatches: differences.filter(({ subject }) => ids.has(subject)),
    others: differences.filter(({ subject }) => !ids.has(subject)),
  };
}

/** What does not fit together at all, in files that were tampered with, gives no figures to compare. */
function figuresOf(bench: RecordedBench): Difference[] {
  const { benchId, plan } = bench.run;
  try {
    return checkFigures(bench, knownGoldSet(plan.goldSet));
  } catch {
    return [{ subject: benchId, field: 'figures', stored: 'some', recomputed: 'none can be made' }];
  }
}
