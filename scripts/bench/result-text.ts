import { exposureParts } from '../../core/answer-exposure';
import type { BenchPlan } from '../../core/bench-plan';
import { hasEnded } from '../../core/bench-states';
import type { BenchSummary } from '../../core/bench-summary';
import { isScipivotAlone } from '../../core/planned-settings';
import { roundUsd, sumUsd } from '../../core/prices';
import type { BenchRatings } from '../../core/ratings/rate-bench';
import { costText, usdText } from '../../core/report/figure-text';
import { whyUnrated } from '../../core/report/why-unrated';
import type { BenchResults } from '../../db/bench-facts';
import { costGaps } from './cost-gaps';
import { simulationWords } from './describe-plan';
import { judgeLines } from './judge-lines';
import { type RatingFact, ratingFacts } from './rating-facts';
import { readProblems } from './read-problems';
import { resultTable } from './result-table';
import type { Colours } from './terminal';
import { block } from './text-block';
import { hangingLines } from './wrapped-text';

export interface ResultOptions {
  plan: BenchPlan;
  /** Of the bench's workflow in Temporal's UI; null where there is none we know of. */
  uiUrl: string | null;
  /** Commands to go on with. */
  next: readonly string[];
  width: number;
  colours: Colours;
}

/** What a bench came to, for a person: leaderboard, gold set, money, judging, and where to go on. */
export function resultText({ summary, ratings }: BenchResults, options: ResultOptions): string {
  const { width } = options;
  const { bold } = options.colours;
  const goldSet = findPlannedGoldSet(options.plan);
  const table = resultTable(summary, {
    ratings,
    width,
    goldSetSize: goldSet?.entities.length ?? null,
    bold,
  });
  const facts = [
    ...ratingLines(summary, ratings, width),
    ...goldLines(summary, goldSet, options.plan),
    ...judgeLines(summary),
  ];
  const hanging = (lines: string[]) => lines.flatMap((line) => hangingLines(line, width));
  return [
    ...hanging([titleLine(summary, options.plan, bold)]),
    '',
    ...(isScipivotAlone(options.plan) ? [] : [table, '', ...hanging(facts)]),
    ...scipivotLines(summary, options),
    ...hanging(costLines(summary)),
    '',
    ...placeLines(options),
    '',
  ].join('\n');
}

function scipivotLines({ scipivot, simulated }: BenchSummary, { width, colours }: ResultOptions): string[] {
  if (scipivot === undefined) return [];
  const { scipivotText } = require('../scipivot/run-text') as typeof import('../scipivot/run-text');
  return [scipivotText(scipivot, { isSimulated: simulated, width, bold: colours.bold }), ''];
}

/** Which bench it is, how it stands, and whether it is simulated. */
export function titleLine(
  { benchId, status }: BenchSummary,
  plan: BenchPlan,
  bold: (text: string) => string,
): string {
  const words = simulationWords(plan);
  return `${bold(benchId)} · ${status}${words ? ` · ${words}` : ''}`;
}

/** How to read the ratings, and what they do not show. */
function ratingLines(summary: BenchSummary, ratings: BenchRatings | null, width: number): string[] {
  const { candidates, matches } = summary;
  if (candidates.every((c) => c.rating === null)) {
    // Where nothing was played, that is said of the judge.
    if (!hasEnded(summary.status) || matches.played === 0) return [];
    return [`nothing is rated: ${whyUnrated(summary)}; co-scientist nightly list`, ''];
  }
  const legend: RatingFact = ['rating', 'Bradley–Terry, mean 1000; 95 %: each alone; ranks: not ruled out'];
  const facts = [legend, ...(ratings === null ? [] : ratingFacts(ratings))];
  return [...block(facts, width).split('\n'), ''];
}

type PlannedGoldSet = ReturnType<typeof import('../../presets')['findGoldSet']>;

function findPlannedGoldSet({ goldSet }: BenchPlan): PlannedGoldSet | null {
  const { findGoldSet } = require('../../presets') as typeof import('../../presets');
  return goldSet === null ? null : findGoldSet(goldSet);
}

/** The answers are public: where a set scores, it says since when. */
function goldLines(
  { candidates, status }: BenchSummary,
  goldSet: PlannedGoldSet | null,
  plan: BenchPlan,
): string[] {
  if (!goldSet) return [];
  const { name, source, publishedOn } = goldSet;
  const lines = [
    `gold set ${name}, public since ${publishedOn} in "${source.title}" (${source.id}):`,
    ...exposureParts(plan.candidates, publishedOn).map((part) => `  ${part}`),
  ];
  const hitters = candidates.filter((c) => (c.goldHitNames?.length ?? 0) > 0);
  if (status !== 'finished') lines.push(`  not scored: the bench is ${status}`);
  else if (candidates.every((c) => c.goldHitNames === null)) lines.push('  not scored: no hypothesis');
  else if (hitters.length === 0) lines.push('  no hits');
  for (const { label, goldHitNames } of hitters) lines.push(`  ${label}: ${goldHitNames?.join(', ')}`);
  return lines;
}

function costLines(summary: BenchSummary): string[] {
  const { candidates, judge, totalCostUsd, simulated } = summary;
  const ofCandidates = sumUsd(candidates.map((c) => c.costUsd));
  const rest = roundUsd(totalCostUsd - ofCandidates - judge.costUsd);
  const parts = [`candidates ${usdText(ofCandidates)}`, `judge and reviewer ${usdText(judge.costUsd)}`];
  if (rest > 0) parts.push(`checks ${usdText(rest)}`);
  const total = costText({ ...summary, costUsd: totalCostUsd });
  const known = total === 'unknown' ? '' : `: ${parts.join(', ')}`;
  const lines = [`${simulated ? 'simulated cost' : 'cost'} ${total}${known}`];
  const gaps = costGaps({ ...summary, costUsd: totalCostUsd }, hasEnded(summary.status));
  if (gaps) lines.push(`  not in it: ${gaps}`);
  for (const candidate of candidates) {
    const own = costGaps(candidate, hasEnded(summary.status));
    if (own) lines.push(`  ${candidate.label}: ${own}`);
  }
  return lines;
}

/** Made to be copied: an address stays whole for the terminal to wrap, a command goes on as a shell's does. */
function placeLines({ uiUrl, next, width, colours }: ResultOptions): string[] {
  const commands = next.flatMap((command) => {
    // What hangs leaves two columns of the first line free, in which the sign stands.
    const parts = hangingLines(command, width - PLACE_NAME_WIDTH);
    return parts.map((part, i) => (i < parts.length - 1 ? `${part}${CONTINUES}` : part));
  });
  const named = [
    ...(uiUrl ? [['UI', uiUrl]] : []),
    ...commands.map((line, i) => [i === 0 ? 'next' : '', line]),
  ];
  return named.map(([name = '', line]) => `${colours.dim(name.padEnd(PLACE_NAME_WIDTH))}${line}`);
}

const PLACE_NAME_WIDTH = 7;
const CONTINUES = ' \\';

/** A failed bench's last words, harmless for a terminal: what it was, and each problem of a list. */
export function readFailure({ kind, detail }: { kind: string; detail: string }): {
  reason: string;
  problems: string[];
} {
  const { head, problems } = readProblems(detail);
  return { reason: head ? `${kind}: ${head}` : kind, problems };
}
