import type { BenchReport } from '../../../core/report/bench-report';
import {
  countsText,
  countText,
  durationText,
  eloText,
  intervalText,
  NONE,
  pValueText,
  shareText,
  signedEloText,
  signedIntervalText,
  usdText,
} from '../../../core/report/figure-text';
import { exposureText, rescoreWords } from '../../../core/report/gold-rescore';
import { differenceCounts, qualificationsOf } from '../../../core/report/qualifications';
import { DIFFERENCE_WORDS, doesStand } from '../../../core/report/rating-words';
import { whyUnrated } from '../../../core/report/why-unrated';
import { cutText } from '../plain-text';
import { html, type Markup } from './markup';
import { scrollTable } from './page-frame';

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
  const standing = given.differences.filter(({ word }) => doesStand(word));
  return html`<p>Of ${countText(given.differences.length, 'difference')} between candidates, all held at once at 95 %: ${differenceCounts(report)}. “No difference” means within ±${given.settings.marginElo} Elo.</p>
${notes}
${
  standing.length === 0
    ? null
    : scrollTable(
        'Differences that stand',
        ['better', 'than', 'by (Elo)', '95 %, all at once'],
        standing.map(({ a, b, elo, amongPairs, word }) => {
          const isAsGiven = word === 'better';
          const interval =
            amongPairs && !isAsGiven ? { low: -amongPairs.high, high: -amongPairs.low } : amongPairs;
          return [isAsGiven ? a : b, isAsGiven ? b : a, eloText(Math.abs(elo)), intervalText(interval)];
        }),
      )
}`;
}

export function pipelineTable({ ratings }: BenchReport): Markup {
  const models = ratings?.pipelineMinusRaw?.models ?? [];
  if (models.length === 0) {
    return html`<p class="note">No model plays once in each mode, so there is nothing to subtract.</p>`;
  }
  const overall = ratings?.pipelineMinusRaw?.overall ?? null;
  const rows = [
    ...models,
    ...(overall && models.length > 1 ? [{ ...overall, model: 'mean of these models' }] : []),
  ];
  return scrollTable(
    'Pipeline minus raw',
    ['model', 'Elo', '95 %', 'verdict', 'extra cost'],
    rows.map(({ model, elo, interval, word, usd }) => [
      model,
      signedEloText(elo),
      signedIntervalText(interval),
      DIFFERENCE_WORDS[word],
      usd === null ? NONE : usdText(usd),
    ]),
  );
}

export function judgeTable({ conduct, judges, summary }: BenchReport): Markup {
  const { judge } = summary;
  const invalid = Object.keys(judges.invalid).length > 0 ? ` (${countsText(judges.invalid)})` : '';
  const latency = judges.latency
    ? ` A verdict took ${durationText(judges.latency.p50Ms)} (p50), ${durationText(judges.latency.p95Ms)} (p95).`
    : '';
  const { orders } = conduct;
  return html`<p>${countText(judge.verdicts, 'verdict')}, ${judge.invalid} could not be had${invalid}; reviews and verdicts cost ${usdText(judge.costUsd)}.${latency}</p>
${
  orders.length === 0
    ? null
    : scrollTable(
        'Judges',
        [
          'judge',
          'matches in both orders',
          'agreed',
          'half flips',
          'flips',
          'flips to the first',
          'to the second',
          'bias, exact binomial',
        ],
        orders.map(({ judge: name, matches, agreed, halfFlips, flips, positionBias }) => [
          name,
          matches,
          shareText(agreed.share, matches),
          shareText(halfFlips.share, matches),
          shareText(flips.share, matches),
          positionBias.firstFirst,
          positionBias.secondSecond,
          positionBias.pValue === null ? NONE : pValueText(positionBias.pValue),
        ]),
      )
}`;
}

export function goldTables({ rescores }: BenchReport): Markup[] {
  return rescores.map(
    (set) => html`<h3>${set.name} <span class="chip">${rescoreWords(set)}</span></h3>
<p class="note">${countText(set.size, 'entity', 'entities')}, public since ${set.publishedOn} (${set.source}); ${exposureText(set)}. Chosen for: ${set.criteria.join('; ')}.</p>
${scrollTable(
  `Gold set ${set.name}`,
  ['candidate', 'recall', 'named', 'of these proposed', 'hypotheses that hit'],
  set.candidates.map(({ label, named, proposed, hitting, hypotheses }) => [
    label,
    `${named.length}/${set.size}`,
    named.join(', ') || NONE,
    proposed.join(', ') || NONE,
    `${hitting}/${hypotheses}`,
  ]),
)}`,
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
