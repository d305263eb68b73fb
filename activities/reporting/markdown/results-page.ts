import type { BenchReport } from '../../../core/report/bench-report';
import type { BenchesReport, BenchKind } from '../../../core/report/benches-report';
import {
  costText,
  momentText,
  NONE,
  rangeText,
  signedEloText,
  signedIntervalText,
  usdText,
} from '../../../core/report/figure-text';
import { benchFindings } from '../../../core/report/findings';
import type { PipelineRuns } from '../../../core/report/pipeline-runs';
import { DIFFERENCE_WORDS } from '../../../core/report/rating-words';
import { HOW_TO_READ } from '../how-to-read';
import { benchSection } from './bench-section';
import { consistencyLines } from './consistency-section';
import { inline, list, table } from './markdown-text';

const right = 'right' as const;

/** `BENCH_RESULTS.md`: every bench of a database on one page. The same rows give the same bytes. */
export function resultsPage(report: BenchesReport): string {
  const parts = [
    '# Bench results',
    'Written by `npm run report` from the rows of the database; do not edit it.',
    '## How to read it',
    list(HOW_TO_READ),
  ];
  if (report.benches.length === 0) {
    return `${[...parts, 'There are no benches yet. `npm run demo` runs a simulated one.'].join('\n\n')}\n`;
  }
  parts.push(
    '## Headline findings',
    list(report.findings.map((finding) => inline(finding))),
    ...report.pipelineRuns.flatMap(pipelineRunsTable),
    '## Index',
    indexTable(report.benches),
    '## What such benches cost',
    kindTable(report.kinds),
    '## Agreement between models, over all benches of a goal',
    ...report.consistency.flatMap((goal) => [
      `${inline(goal.goal, 160)} (${goal.benches === 1 ? 'one bench' : `${goal.benches} benches`}${goal.isSimulated ? ', simulated' : ''}):`,
      ...consistencyLines(goal),
    ]),
    ...report.benches.map(benchSection),
  );
  return `${parts.join('\n\n')}\n`;
}

/** One bench alone, as it stands on the page of all. */
export function benchPageMarkdown(report: BenchReport): string {
  return `${['# Bench report', '## How to read it', list(HOW_TO_READ), '## Findings', list(benchFindings(report).map((finding) => inline(finding))), benchSection(report)].join('\n\n')}\n`;
}

function pipelineRunsTable({ benches, isDriftLeftOut, models, overall }: PipelineRuns): string[] {
  const isOne = benches.length === 1;
  const columns = [
    { name: 'model' },
    ...benches.map(({ benchId }) => ({ name: `[${benchId.slice(-6)}](#${benchId.toLowerCase()})` })),
    ...(isOne
      ? []
      : [{ name: 'all runs' }, { name: 'runs above 0', align: right }, { name: 'below', align: right }]),
    { name: 'verdict' },
  ];
  const cell = (difference: { elo: number | null; interval: { low: number; high: number } | null } | null) =>
    difference === null || difference.elo === null
      ? NONE
      : `${signedEloText(difference.elo)} (${signedIntervalText(difference.interval)})`;
  const rows = models.map(({ model, runs, pooled, positive, negative }) => [
    inline(model),
    ...runs.map(cell),
    ...(isOne ? [] : [cell(pooled), String(positive), String(negative)]),
    pooled ? DIFFERENCE_WORDS[pooled.word] : NONE,
  ]);
  const blanks = (count: number) => Array.from({ length: count }, () => '');
  if (overall && models.length > 1) {
    rows.push([
      'mean of these models',
      ...(isOne ? [cell(overall)] : [...blanks(benches.length), cell(overall), '', '']),
      DIFFERENCE_WORDS[overall.word],
    ]);
  }
  const what = isOne ? 'one run' : `${benches.length} runs, equal but for the seed`;
  const judge = benches[0]!.plan.judges.map(({ provider, model }) => `${provider}:${model}`).join(', ');
  return [
    `Pipeline − raw in Elo, ${what}, judge ${inline(judge)}${benches[0]!.isSimulated ? ', simulated' : ''}; 95 % intervals hold for all models of a run and their mean at once${isDriftLeftOut ? '; over so few runs, drift between them is not in those of all runs' : ''}:`,
    table(columns, rows),
  ];
}

function indexTable(benches: readonly BenchReport[]): string {
  return table(
    [
      { name: 'bench' },
      { name: 'begun' },
      { name: 'state' },
      { name: 'preset' },
      { name: 'goal' },
      { name: 'candidates', align: right },
      { name: 'matches', align: right },
      { name: 'first' },
      { name: 'cost', align: right },
      { name: '' },
    ],
    benches.map((bench) => [
      `[${bench.benchId}](#${bench.benchId.toLowerCase()})`,
      momentText(bench.createdAt),
      bench.state,
      inline(bench.preset ?? NONE),
      inline(bench.goal, 60),
      String(bench.candidates.length),
      `${bench.matches.played}/${bench.matches.scheduled}`,
      bench.ratings ? inline(bench.candidates[0]?.label ?? NONE) : NONE,
      costText({ ...bench.summary, costUsd: bench.summary.totalCostUsd }),
      bench.isSimulated ? 'simulated' : '',
    ]),
  );
}

function kindTable(kinds: readonly BenchKind[]): string {
  return table(
    [
      { name: 'goal' },
      { name: 'gold set' },
      { name: 'benches', align: right },
      { name: 'cost', align: right },
      { name: 'candidates', align: right },
      { name: 'matches played', align: right },
      { name: '' },
    ],
    kinds.map((kind) => [
      inline(kind.goal, 100),
      inline(kind.goldSet ?? 'none'),
      String(kind.benches),
      `${rangeText(kind.costsUsd, usdText)}${kind.hasGaps ? ' and what is unknown' : ''}`,
      rangeText(kind.candidates),
      rangeText(kind.matches),
      kind.isSimulated ? 'simulated' : '',
    ]),
  );
}
