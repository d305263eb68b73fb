import type { BenchPlan } from '../../core/bench-plan';
import { hasEnded } from '../../core/bench-states';
import type { BenchSummary } from '../../core/bench-summary';
import { type BenchResults, readResults } from '../../db/bench-facts';
import { findBench } from '../../db/benches';
import type { Database } from '../../db/database';
import type { Stack } from '../stack/ensure-stack';
import { workflowUrl } from './bench-connection';
import { resultText } from './result-text';
import { coloursFor, widthOf } from './terminal';

export interface PrintOptions {
  stack: Stack;
  workflowId: string;
  plan: BenchPlan;
  isJson: boolean;
  /** Commands to go on with; left out: to show it again, and to list all. */
  next?: readonly string[];
}

/** Prints what a bench came to on stdout: one JSON object, or the leaderboard and what belongs to it. */
export function printResult(results: BenchResults, options: PrintOptions): void {
  const { summary } = results;
  if (options.isJson) {
    printJson(summary);
    return;
  }
  const text = resultText(results, {
    plan: options.plan,
    next: options.next ?? nextCommands(summary),
    uiUrl: workflowUrl(options.stack, options.workflowId),
    width: widthOf(process.stdout),
    colours: coloursFor(process.stdout),
  });
  process.stdout.write(text);
}

function nextCommands({ benchId, candidates, judge }: BenchSummary): string[] {
  const hasFailures = judge.invalid > 0 || candidates.some((c) => Object.keys(c.failures).length > 0);
  return [
    `co-scientist show ${benchId}`,
    hasFailures ? `co-scientist failures ${benchId}` : `co-scientist costs ${benchId}`,
    'co-scientist list',
  ];
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** What a bench has come to so far, from its rows; null when it has none, or no candidate has been at work yet. */
export async function readKeptResults(db: Database, benchId: string): Promise<BenchResults | null> {
  if (!(await findBench(db, benchId))) return null;
  const results = await readResults(db, benchId);
  return hasWorked(results.summary) ? results : null;
}

/** Whether any candidate has come to something, or lost money: else there is no table worth showing. */
export function hasWorked(summary: BenchSummary): boolean {
  return summary.candidates.some(
    (c) =>
      c.nHypotheses > 0 ||
      c.costUsd > 0 ||
      c.nUnknownCost > 0 ||
      (hasEnded(summary.status) && c.inDoubtUsd > 0),
  );
}
