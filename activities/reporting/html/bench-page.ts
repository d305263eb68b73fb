import { hasEnded } from '../../../core/bench-states';
import type { BenchReport } from '../../../core/report/bench-report';
import {
  costText,
  countText,
  eloText,
  flipRateText,
  momentText,
  NONE,
} from '../../../core/report/figure-text';
import { benchFindings } from '../../../core/report/findings';
import { methodsText } from '../../../core/report/methods';
import type { RecordedBench } from '../../../core/report/recorded-bench';
import { settingsOf } from '../../../core/report/settings';
import { smallestGapElo } from '../../../core/report/smallest-gap';
import { isSessionsAlone } from '../../../core/report/why-unrated';
import type { ScipivotSubject, ScipivotSummary } from '../../../core/scipivot/summary';
import { HOW_TO_READ } from '../how-to-read';
import { promptHashes } from '../report-options';
import { agreementTables, differences, goldTables, judgeTable, pipelineTable } from './figure-sections';
import type { HypothesisBlocks } from './hypothesis-blocks';
import { leaderboard, matrix, spending } from './leaderboard';
import { type Content, html, type Markup } from './markup';
import { hypothesisList, type MatchPage, matchList } from './match-lists';
import { pageFrame, scrollTable, section } from './page-frame';
import { forestPlot, pipelinePlot, positionPlot, spendPlot } from './plots/bench-plots';
import { costPlot, missingFromCostPlot } from './plots/cost-plot';
import { drawPlot, type Plot } from './plots/draw-plot';
import { rubricTables } from './rubric-tables';
import { scipivotTable } from './scipivot-table';
import type { TranscriptStore } from './transcript-store';

export interface BenchPageSource {
  report: BenchReport;
  record: RecordedBench;
  transcripts: TranscriptStore;
  blocks: HypothesisBlocks;
}

const SECTIONS = [
  { id: 'scipivot', name: 'SciΠvot' },
  { id: 'leaderboard', name: 'Leaderboard' },
  { id: 'against', name: 'Win matrix' },
  { id: 'modes', name: 'Pipeline − raw' },
  { id: 'costs', name: 'Costs' },
  { id: 'judge', name: 'Judge' },
  { id: 'gold', name: 'Gold sets' },
  { id: 'agreement', name: 'Agreement' },
  { id: 'rubric', name: 'Rubric scores' },
  { id: 'hypotheses', name: 'Hypotheses' },
  { id: 'matches', name: 'Matches' },
  { id: 'methods', name: 'Methods' },
];

/** The bench's own page. @param pages of its matches, where they are too many for this one */
export function benchPage(source: BenchPageSource, pages: readonly MatchPage[]): string {
  const { report } = source;
  const hypotheses = hypothesisList(source);
  const matches = pages.length === 0 ? matchList(source) : null;
  const { scipivot } = report.summary;
  const tournament: Content = [
    section(
      'leaderboard',
      'Leaderboard',
      draw(forestPlot(report)),
      modeKey(),
      howToRead(),
      leaderboard(report),
      differences(report),
    ),
    section('against', 'Win matrix', matrix(report)),
    section(
      'modes',
      'Pipeline − raw',
      draw(pipelinePlot(report)),
      report.pairs.length > 0
        ? html`<p class="note">Intervals hold for all these models at once. Grey: differences too small to matter.</p>`
        : null,
      pipelineTable(report),
    ),
  ];
  const costs = section(
    'costs',
    'Costs',
    draw(costPlot(report)),
    costNote(report),
    draw(spendPlot(report)),
    spending(report),
  );
  const judging: Content = [
    section('judge', 'Judge', draw(positionPlot(report)), judgeTable(report)),
    section('gold', 'Gold sets', goldTables(report)),
    section('agreement', 'Agreement between models', agreementTables(report)),
    report.rubric ? section('rubric', 'Rubric scores', rubricTables(report.rubric)) : null,
    section('hypotheses', 'Hypotheses', hypotheses.markup),
    section('matches', 'Matches', matches ? matches.markup : pageIndex(pages)),
  ];
  const isAlone = isSessionsAlone(report);
  const body: Content = [
    header(report),
    scipivot ? section('scipivot', 'SciΠvot', scipivotTable(scipivot, report.isSimulated)) : null,
    isAlone ? costs : [tournament, costs, judging],
    section('methods', 'Methods and settings', methods(report)),
  ];
  return pageFrame({
    title: `Bench ${report.benchId}`,
    sections: sectionsOf(report),
    body,
    transcripts: source.transcripts.groupsOf([...hypotheses.callKeys, ...(matches?.callKeys ?? [])]),
  });
}

/** Those that the page has: a bench without hypotheses has nothing to rate. */
function sectionsOf(report: BenchReport): typeof SECTIONS {
  const { rubric, summary } = report;
  return SECTIONS.filter(({ id }) => {
    if (id === 'scipivot') return summary.scipivot !== undefined;
    if (isSessionsAlone(report)) return id === 'costs' || id === 'methods';
    return id !== 'rubric' || rubric !== null;
  });
}

function header(report: BenchReport): Markup {
  const { benchId, goal, isSimulated, state, createdAt, finishedAt, failure } = report;
  const [lead = '', ...rest] = goal.split('\n');
  const more = rest.join('\n').trim();
  return html`<header class="top">
<p class="eyebrow">Bench ${benchId}</p>
<h1>${lead}</h1>
${more ? html`<details class="more"><summary>The whole goal</summary><div class="goal">${more}</div></details>` : null}
${isSimulated ? html`<p class="banner" role="note">Simulated: models, verdicts and dollars are made up. It measures nothing but this program.</p>` : null}
${hasEnded(state) ? null : html`<p class="banner" role="note">Not ended: these are the figures so far, and they will change.</p>`}
<p class="note">${state.replace('_', ' ')}, begun ${momentText(createdAt)}${finishedAt ? `, ended ${momentText(finishedAt)}` : ''}${failure ? `. Failure: ${failure.kind}: ${failure.detail}` : ''}</p>
<dl class="key">${keyFigures(report).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<ul class="findings">${benchFindings(report).map((finding) => html`<li>${withoutHead(finding)}</li>`)}</ul>
</header>
`;
}

/** On a bench's own page, which says at its top whose figures these are. */
function withoutHead(finding: string): string {
  return finding.replace(/^bnc_\w+( \(simulated\))?: /, '').replace(/^./, (first) => first.toUpperCase());
}

function keyFigures(report: BenchReport): [string, string][] {
  const { candidates, summary, isSimulated } = report;
  return [
    ['candidates', String(candidates.length)],
    ...(isSessionsAlone(report) ? sessionFigures(summary.scipivot) : tournamentFigures(report)),
    [isSimulated ? 'simulated cost' : 'cost', costText({ ...summary, costUsd: summary.totalCostUsd })],
  ];
}

function sessionFigures(scipivot: ScipivotSummary | undefined): [string, string][] {
  if (!scipivot) return [];
  const sum = (of: (subject: ScipivotSubject) => number) =>
    scipivot.subjects.reduce((total, subject) => total + of(subject), 0);
  return [
    ['cases', String(scipivot.nCases)],
    ['sessions', `${sum(({ nEnded }) => nEnded)} of ${sum(({ nSessions }) => nSessions)}`],
  ];
}

function tournamentFigures(report: BenchReport): [string, string][] {
  const { candidates, matches, summary, ratings, conduct, hypotheses } = report;
  const gap = ratings && smallestGapElo(ratings);
  const flipped = conduct.orders.reduce((sum, { flips }) => sum + flips.count, 0);
  const paired = conduct.orders.reduce((sum, { flips }) => sum + flips.of, 0);
  return [
    ['hypotheses', `${candidates.reduce((sum, c) => sum + c.nHypotheses, 0)} of ${hypotheses.length}`],
    ['matches played', `${matches.played} of ${matches.scheduled}`],
    [paired === 0 ? 'flip rate' : `flip rate, ${flipped} of ${paired}`, flipRateText(summary.judge, paired)],
    ['smallest gap it could see', gap === null ? NONE : `${eloText(gap)} Elo`],
  ];
}

function draw(plot: Plot | null): Markup | null {
  return plot && drawPlot(plot);
}

function costNote(report: BenchReport): Markup | null {
  if (report.ratings === null) return null;
  const missing = missingFromCostPlot(report);
  const why = 'no rating, or a cost of which a part is unknown or in doubt';
  const more = missing.length > 0 ? ` Not drawn (${why}): ${missing.join(', ')}.` : '';
  return html`<p class="note">Bars: 95 % interval of each rating alone; a hollow mark has none. Names that would lie on others are left out.${more}</p>`;
}

function modeKey(): Markup {
  return html`<p class="note"><span class="dot pipeline"></span>pipeline <span class="dot direct"></span>direct, one raw call. Each interval is for that candidate alone; a hollow mark has none. Candidates that share a letter are not shown to differ.</p>`;
}

function howToRead(): Markup {
  return html`<details class="more"><summary>How to read these figures</summary><ul class="note">${HOW_TO_READ.map((text) => html`<li>${emphasised(text)}</li>`)}</ul></details>`;
}

/** Words between stars are emphasised. */
function emphasised(text: string): Content {
  return text.split('*').map((part, i) => (i % 2 === 1 ? html`<em>${part}</em>` : part));
}

function pageIndex(pages: readonly MatchPage[]): Markup {
  return html`<p>The matches are many; they stand on pages beside this one:</p>
<ul class="pages">${pages.map(({ name, title }) => html`<li><a href="${name}">${title}</a></li>`)}</ul>`;
}

function methods(report: BenchReport): Markup {
  const { benchId, session } = report;
  return html`<p class="methods">${methodsText(report, promptHashes(report.plan))}</p>
${scrollTable('Settings', ['setting', 'value'], settingsOf(report))}
<p class="note">Files, under CO_SCIENTIST_HOME: artifacts/${session}/bench/${benchId}.json, artifacts/${session}/hypotheses, artifacts/${session}/transcripts. ${countText(report.hypotheses.length, 'slot')}.</p>`;
}
