import { hasEnded } from '../../core/bench-states';
import { recallText } from '../../core/report/gold-rescore';
import type { RecordedRescore } from '../../core/report/recorded-bench';
import { readResults } from '../../db/bench-facts';
import { type EndedSlot, readEndedSlots, readTopHypotheses } from '../../db/bench-list';
import type { Database } from '../../db/database';
import { type BenchProgress, readBenchProgress } from '../../db/progress';
import { readRescores } from '../../db/rescores';
import type { Stack } from '../stack/ensure-stack';
import { endedOtherwise } from './bench-failure';
import { intervalBars } from './interval-bars';
import { hasWorked, printJson, printResult } from './print-result';
import { printable } from './printable';
import { formatCounts, progressLines } from './progress-view';
import { readFailure, titleLine } from './result-text';
import { coloursFor, widthOf } from './terminal';
import { cutToWidth } from './text-width';
import { hangingLines } from './wrapped-text';

const TOP = 5;
const SLOTS_SHOWN = 10;

/** A bench as its rows have it: results with the best hypotheses and what went wrong; above them, how far it is. */
export async function showBench(
  db: Database,
  stack: Stack,
  benchId: string,
  { isJson }: { isJson: boolean },
): Promise<void> {
  const results = await readResults(db, benchId);
  const { summary } = results;
  if (isJson) {
    printJson(summary);
    return;
  }
  const progress = await readBenchProgress(db, benchId);
  if (!progress) throw new Error(`bench ${benchId}: its rows are gone`);
  if (!hasEnded(summary.status)) printLines([...progressNow(progress), '']);
  if (hasWorked(summary)) {
    const { plan, workflowId } = progress;
    const next = hasEnded(summary.status)
      ? []
      : [`co-scientist watch ${benchId}`, `co-scientist cancel ${benchId}`];
    printResult(results, { stack, plan, workflowId, isJson: false, next });
    const bars = intervalBars(summary, widthOf(process.stdout));
    if (bars.length > 0) printLines(['', ...bars]);
  } else if (hasEnded(summary.status)) {
    printLines([titleLine(summary, progress.plan, coloursFor(process.stdout).bold)]);
  }
  const { state, failure } = progress;
  if (failure)
    printLines([
      '',
      ...failureLines(failure),
      `  fix: ${endedOtherwise({ benchId, state, failure }).details.remedy}`,
    ]);
  printLines([
    ...(await topHypotheses(db, benchId)),
    ...(await endedSlots(db, benchId)),
    ...countLine('verdicts that could not be had', progress.judge.invalid),
    ...rescoreLines(await readRescores(db, benchId)),
  ]);
}

/** Nothing is redrawn here, so nothing is cut: the last lines are commands. */
function progressNow(progress: BenchProgress): string[] {
  return progressLines(progress, {
    width: Number.POSITIVE_INFINITY,
    height: Number.POSITIVE_INFINITY,
    colours: coloursFor(process.stdout),
  });
}

function failureLines(failure: { kind: string; detail: string }): string[] {
  const { reason, problems } = readFailure(failure);
  return [coloursFor(process.stdout).red(reason), ...problems.map((problem) => `  - ${problem}`)];
}

function printLines(lines: string[]): void {
  const width = widthOf(process.stdout);
  const hanging = lines.flatMap((line) => hangingLines(line, width));
  process.stdout.write(hanging.map((line) => `${line}\n`).join(''));
}

/** A title is read for what it is about: it is cut to one line of the terminal. */
function cutLine(line: string): string {
  return cutToWidth(line, widthOf(process.stdout));
}

async function topHypotheses(db: Database, benchId: string): Promise<string[]> {
  const best = await readTopHypotheses(db, benchId, TOP);
  if (best.length === 0) return [];
  const lines = best.map(({ elo, number, label, title }) =>
    cutLine(`  ${Math.round(elo)}  #${number} ${label}: ${printable(title)}`),
  );
  return [
    '',
    `best hypotheses by Elo (one in full: show ${benchId} --hypothesis ${best[0]!.number}):`,
    ...lines,
  ];
}

async function endedSlots(db: Database, benchId: string): Promise<string[]> {
  const slots = await readEndedSlots(db, benchId, SLOTS_SHOWN + 1);
  if (slots.length === 0) return [];
  const lines = slots.slice(0, SLOTS_SHOWN).map(describeSlot);
  if (slots.length > SLOTS_SHOWN) lines.push('  …');
  return ['', 'slots without a hypothesis:', ...lines];
}

/** Scores that somebody made after the fact; the bench's own stands above. */
function rescoreLines(rescores: readonly RecordedRescore[]): string[] {
  return rescores.flatMap(({ goldSet, candidates }) => [
    '',
    `gold set ${printable(goldSet.name)} ${goldSet.version}, after the fact:`,
    ...candidates.map(
      (score) =>
        `  ${score.label}: ${[recallText(score, goldSet.entities.length), score.named.map(printable).join(', ')].join(' ').trimEnd()}`,
    ),
  ]);
}

function describeSlot({ label, k, state, kind, detail }: EndedSlot): string {
  const why = kind && kind !== state ? `${state}: ${kind}` : state;
  return `  ${label} ${k}: ${why}${detail ? ` (${printable(detail)})` : ''}`;
}

function countLine(what: string, counts: Record<string, number>): string[] {
  const list = formatCounts(counts);
  return list ? ['', `${what}: ${printable(list)}`] : [];
}
