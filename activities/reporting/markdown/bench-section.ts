import { hasEnded } from '../../../core/bench-states';
import type { BenchReport } from '../../../core/report/bench-report';
import { costText, countsText, countText, durationText, momentText } from '../../../core/report/figure-text';
import { exposureText, rescoreWords } from '../../../core/report/gold-rescore';
import { methodsText } from '../../../core/report/methods';
import { differenceCounts, qualificationsOf } from '../../../core/report/qualifications';
import {
  CANDIDATE_COLUMNS,
  DIFFERENCE_COLUMNS,
  goldColumns,
  JUDGE_COLUMNS,
  PIPELINE_COLUMNS,
  pipelineRows,
  RANK_COLUMN,
  shownDifferences,
  spendingColumns,
  standingColumns,
  standingsOf,
} from '../../../core/report/report-tables';
import { settingsOf } from '../../../core/report/settings';
import { isSessionsAlone, whyUnrated } from '../../../core/report/why-unrated';
import { promptHashes } from '../report-options';
import { consistencyLines } from './consistency-section';
import { hypothesisLines } from './hypothesis-section';
import { code, codeBlock, inline, list, quote, rowTable, table } from './markdown-text';
import { rubricLines } from './rubric-section';
import { scipivotLines } from './scipivot-section';
import { sqlQueries } from './sql-queries';

const GOAL_CHARACTERS = 4000;

/** Everything about one bench, under a heading of its id. */
export function benchSection(report: BenchReport): string {
  return [
    `## ${report.benchId}`,
    stateLine(report),
    quote(report.goal, GOAL_CHARACTERS),
    '### Settings',
    table([{ name: 'setting' }, { name: 'value' }], settingsRows(report)),
    ...scipivotLines(report),
    ...(isSessionsAlone(report) ? ['### Costs', spendingTable(report)] : tournamentLines(report)),
    '### Files',
    ...fileLines(report),
    '### SQL',
    ...sqlQueries(report.benchId).map(({ title, sql }) => `${title}:\n\n${codeBlock('sql', sql)}`),
    '### Methods',
    inline(methodsText(report, promptHashes(report.plan))),
  ].join('\n\n');
}

function tournamentLines(report: BenchReport): string[] {
  return [
    '### Candidates',
    ...candidateTables(report),
    ...differenceLines(report),
    ...pipelineLines(report),
    '### Judge',
    ...judgeLines(report),
    '### Gold sets',
    ...goldLines(report),
    '### Agreement between models',
    ...consistencyLines(report.consistency),
    ...rubricLines(report),
    '### Hypotheses',
    ...hypothesisLines(report),
  ];
}

function stateLine({ state, isSimulated, createdAt, finishedAt, failure, matches }: BenchReport): string {
  const ended = finishedAt ? `, ended ${momentText(finishedAt)}` : '';
  const made = isSimulated ? ' **Simulated: models, verdicts and dollars are made up.**' : '';
  const soFar = hasEnded(state) ? '' : ' **Not ended: figures so far, which will change.**';
  const failed = failure ? ` Failure: ${inline(`${failure.kind}: ${failure.detail}`, 500)}.` : '';
  return `State ${state}, begun ${momentText(createdAt)}${ended}; ${matches.played} of ${countText(matches.scheduled, 'match', 'matches')} played.${made}${soFar}${failed} The goal:`;
}

function settingsRows(report: BenchReport): string[][] {
  return settingsOf(report).map(([name, value]) => [inline(name), inline(value, 1000)]);
}

function candidateTables(report: BenchReport): string[] {
  return [
    rowTable([RANK_COLUMN, ...CANDIDATE_COLUMNS, ...standingColumns(report)], standingsOf(report)),
    spendingTable(report),
  ];
}

function spendingTable(report: BenchReport): string {
  return rowTable(spendingColumns(report), report.candidates);
}

/** Those that stand, each with its interval; the rest are counted. */
function differenceLines(report: BenchReport): string[] {
  const { ratings } = report;
  const sentences = qualificationsOf(report).map((sentence) => inline(sentence));
  const notes = sentences.length > 0 ? [list(sentences)] : [];
  if (ratings === null) return [`Nothing is rated: ${whyUnrated(report)}.`, ...notes];
  const shown = shownDifferences(report);
  return [
    `Differences between candidates, all held at once at 95 %: ${differenceCounts(report)}. The margin for “no difference” is ±${ratings.given.settings.marginElo} Elo.`,
    ...notes,
    ...(shown.length === 0 ? [] : [rowTable(DIFFERENCE_COLUMNS, shown)]),
  ];
}

function pipelineLines(report: BenchReport): string[] {
  const rows = pipelineRows(report);
  return rows.length === 0 ? [] : ['### Pipeline − raw', rowTable(PIPELINE_COLUMNS, rows)];
}

function judgeLines({ judges, summary, conduct: { orders } }: BenchReport): string[] {
  const { judge } = summary;
  const latency = judges.latency
    ? ` Latency of a verdict: p50 ${durationText(judges.latency.p50Ms)}, p95 ${durationText(judges.latency.p95Ms)}.`
    : '';
  const invalid = Object.keys(judges.invalid).length > 0 ? ` (${countsText(judges.invalid)})` : '';
  const line = `${countText(judge.verdicts, 'verdict')}, ${judge.invalid} could not be had${invalid}; reviews and verdicts cost ${costText(judges.costs)}.${latency}`;
  return orders.length === 0 ? [line] : [line, rowTable(JUDGE_COLUMNS, orders)];
}

function goldLines({ rescores }: BenchReport): string[] {
  return rescores.flatMap((set) => [
    `${code(set.name)} ${set.version}, ${rescoreWords(set)}: ${countText(set.size, 'entity', 'entities')}, public since ${set.publishedOn} (${inline(set.source)}); ${inline(exposureText(set))}. Chosen for: ${inline(set.criteria.join('; '))}.`,
    rowTable(goldColumns(set), set.candidates),
  ]);
}

function fileLines({ benchId, session }: BenchReport): string[] {
  return [
    'Under `CO_SCIENTIST_HOME` (`data/` unless it is set); `co-scientist export` writes the same anywhere:',
    list([
      `${code(`artifacts/${session}/bench/${benchId}.json`)}: settings, summary, every match with its verdicts`,
      `${code(`artifacts/${session}/hypotheses/`)}: a file a slot, named below`,
      `${code(`artifacts/${session}/transcripts/`)}: every call as sent and received`,
      `${code(`reports/${benchId}.html`)}: the same as a page, with plots and every match`,
    ]),
  ];
}
