import type { BenchReport } from '../../../core/report/bench-report';
import { costText, countsText, countText, durationText } from '../../../core/report/figure-text';
import { exposureText, rescoreWords } from '../../../core/report/gold-rescore';
import { differenceCounts, qualificationsOf } from '../../../core/report/qualifications';
import {
  DIFFERENCE_COLUMNS,
  goldColumns,
  JUDGE_COLUMNS,
  PIPELINE_COLUMNS,
  pipelineRows,
  shownDifferences,
} from '../../../core/report/report-tables';
import { whyUnrated } from '../../../core/report/why-unrated';
import { cutText } from '../plain-text';
import { html, type Markup } from './markup';
import { rowTable, scrollTable } from './page-frame';

/** Differences that stand, and how many do not. */
export function differences(report: BenchReport): Markup {
  const { ratings } = report;
  const sentences = qualificationsOf(report);
  const notes =
    sentences.length > 0
      ? html`<ul class="note">${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul>`
      : null;
  if (ratings === null) return html`<p class="note">Nothing is rated: ${whyUnrated(report)}.</p>${notes}`;
  const { given } = ratings;
  const shown = shownDifferences(report);
  return html`<p>Of ${countText(given.differences.length, 'difference')} between candidates, all held at once at 95 %: ${differenceCounts(report)}. “No difference” means within ±${given.settings.marginElo} Elo.</p>
${notes}
${shown.length === 0 ? null : rowTable('Differences that stand', DIFFERENCE_COLUMNS, shown)}`;
}

export function pipelineTable(report: BenchReport): Markup {
  const rows = pipelineRows(report);
  if (rows.length === 0) {
    return html`<p class="note">No model plays once in each mode, so there is nothing to subtract.</p>`;
  }
  return rowTable('Pipeline minus raw', PIPELINE_COLUMNS, rows);
}

export function judgeTable({ conduct, judges, summary }: BenchReport): Markup {
  const { judge } = summary;
  const invalid = Object.keys(judges.invalid).length > 0 ? ` (${countsText(judges.invalid)})` : '';
  const latency = judges.latency
    ? ` A verdict took ${durationText(judges.latency.p50Ms)} (p50), ${durationText(judges.latency.p95Ms)} (p95).`
    : '';
  const { orders } = conduct;
  return html`<p>${countText(judge.verdicts, 'verdict')}, ${judge.invalid} could not be had${invalid}; reviews and verdicts cost ${costText(judges.costs)}.${latency}</p>
${orders.length === 0 ? null : rowTable('Judges', JUDGE_COLUMNS, orders)}`;
}

export function goldTables({ rescores }: BenchReport): Markup[] {
  return rescores.map(
    (set) => html`<h3>${set.name} <span class="chip">${rescoreWords(set)}</span></h3>
<p class="note">${countText(set.size, 'entity', 'entities')}, public since ${set.publishedOn} (${set.source}); ${exposureText(set)}. Chosen for: ${set.criteria.join('; ')}.</p>
${rowTable(`Gold set ${set.name}`, goldColumns(set), set.candidates)}`,
  );
}

const ENTITIES_SHOWN = 40;

export function agreementTables({ consistency }: BenchReport): Markup {
  const { hypotheses, models, themes, entities } = consistency;
  const shown = themes?.counts.filter(({ hypotheses: count }) => count > 0) ?? [];
  return html`<p>Over ${countText(hypotheses, 'kept hypothesis', 'kept hypotheses')} of ${countText(models, 'model')}.</p>
<div class="columns">${[
    shown.length > 0
      ? scrollTable(
          'Themes',
          [`theme (${themes?.set} ${themes?.version})`, 'hypotheses', 'models'],
          shown.map(({ theme, hypotheses: count, models: by }) => [theme, count, by]),
        )
      : null,
    entities.length > 0
      ? scrollTable(
          'Entities named more than once',
          ['named more than once', 'hypotheses', 'models'],
          entities
            .slice(0, ENTITIES_SHOWN)
            .map(({ entity, hypotheses: count, models: by }) => [cutText(entity, 160), count, by]),
        )
      : html`<p class="note">No entity is named by more than one hypothesis.</p>`,
  ]}</div>
${entities.length > ENTITIES_SHOWN ? html`<p class="note">And ${entities.length - ENTITIES_SHOWN} more.</p>` : null}`;
}
