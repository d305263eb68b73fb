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
  const nTried = judged.filter(({ state }) => state === 'unplayed').length;
  const tried = nTried > 0 ? `, ${nTried} of them after a verdict` : '';
  const notes = nUnplayed > 0 ? [`${nUnplayed} unplayed${tried}: never scored`] : [];
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

/** A report can be made, and every candidate of the plan is in its table. */
export function checkReport(bench: RecordedBench): EvalCheck {
  const { run, candidates } = bench;
  const check = { area: 'overview' as const, name: 'report', unit: 'candidates', notes: [] };
  if (run.summary === null) return { ...check, checked: 0, violations: [] };
  const told = toldInReport(bench);
  if (told === null) {
    const violations = [{ subject: run.benchId, message: 'no report can be made of it' }];
    return { ...check, checked: candidates.length, violations };
  }
  const planned = run.plan.candidates.map(({ label }) => label);
  const violations = planned
    .filter((label) => !told.has(label))
    .map((label) => ({ subject: candidateId(run.benchId, label), message: 'is not in the report' }));
  return { ...check, checked: candidates.length, violations };
}

/**
 * Labels of the candidates that have a line in the report's table, as a reader of the Markdown sees it. null: no report can
 * be made, which files that were tampered with may bring about.
 */
export function toldInReport(bench: RecordedBench): Set<string> | null {
  try {
    const report = reportBench(bench, reportOptions());
    const text = asWords(benchPageMarkdown(report));
    const labels = report.candidates.map(({ label }) => label);
    return new Set(labels.filter((label) => text.includes(`| ${asWords(label)} |`)));
  } catch {
    return null;
  }
}

/** A bench's report, as its Markdown page has it. */
export function reportMarkdown(bench: RecordedBench): string {
  return benchPageMarkdown(reportBench(bench, reportOptions()));
}

/** Without the backslashes that keep signs from being read as Markdown. */
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
