import { markWords } from '../../core/citation-marks';
import type { Citation } from '../../core/hypothesis';
import { countText, eloText } from '../../core/report/figure-text';
import type { HypothesisReport } from '../../core/report/hypothesis-report';
import type { RecordedHypothesis, RecordedReview, RecordedToolCall } from '../../core/report/recorded-bench';
import { reviewParts } from '../../core/report/review-parts';
import { printable } from './printable';
import type { Colours } from './terminal';
import { wrappedLines } from './wrapped-text';

export interface TextPlace {
  width: number;
  colours: Colours;
}

/** `oak[pipe] 2 · in tournament · Elo 1234 · 3-1-2 · hyp_…` */
export function hypothesisFacts(hypothesis: HypothesisReport): string {
  const { label, k, state, failureKind, duplicateOf, isNudged, elo, wins, losses, ties } = hypothesis;
  return [
    `${label} ${k}`,
    state === 'failed' && failureKind ? `failed: ${printable(failureKind)}` : state.replace('_', ' '),
    ...(duplicateOf ? [`too similar to ${duplicateOf}`] : []),
    ...(isNudged ? ['nudged'] : []),
    ...(elo === null ? [] : [`Elo ${eloText(elo)}`, `${wins}-${losses}-${ties}`]),
    ...(hypothesis.goldHits.length > 0 ? [`gold: ${hypothesis.goldHits.map(printable).join(', ')}`] : []),
    hypothesis.publicId,
  ].join(' · ');
}

/** All that a slot handed in and its review, for a terminal; of a slot without a hypothesis, why. */
export function hypothesisLines(
  { record, unsupportedCitations, failureKind, failureDetail, review }: RecordedHypothesis,
  place: TextPlace,
): string[] {
  if (record === null) {
    const why = failureKind === null ? '' : `: ${failureKind}${failureDetail ? ` (${failureDetail})` : ''}`;
    return [...wrappedLines(`no hypothesis${why}`, place.width), ''];
  }
  return [
    ...wrappedLines(record.title, place.width).map(place.colours.bold),
    '',
    ...part('summary', record.summary, place),
    ...part('argument', record.fullText, place),
    ...part('mechanism', record.mechanism, place),
    ...part('entities', record.entities.join(', '), place),
    ...part('what would prove it wrong', record.falsification, place),
    ...part('citations', record.citations.map(citationText).join('\n'), place),
    ...part(
      'cited, but seen in no tool’s answer',
      (unsupportedCitations ?? []).map(citationText).join('\n'),
      place,
    ),
    ...reviewLines(review, place),
  ];
}

/** A line a call: what was asked and what came of it. */
export function toolCallLines(calls: readonly RecordedToolCall[], place: TextPlace): string[] {
  const text = calls
    .map(({ tool, arguments: given, outcome, documents, failureKind }) => {
      const came = (outcome ?? 'not answered').replace('_', ' ');
      const found = documents && documents.length > 0 ? `, ${countText(documents.length, 'document')}` : '';
      return `${tool} ${printable(given ?? 'no readable arguments')}: ${came}${failureKind ? ` (${failureKind})` : ''}${found}`;
    })
    .join('\n');
  return part('tool calls', text, place);
}

/** Nothing where there is no text. */
export function part(name: string, text: string, { width, colours }: TextPlace): string[] {
  if (text.trim() === '') return [];
  return [`  ${colours.dim(name)}`, ...wrappedLines(text, width, '    '), ''];
}

function citationText(citation: Citation): string {
  const { url, title, excerpt } = citation;
  return [printable(title), printable(url), markWords(citation), excerpt ? `“${printable(excerpt)}”` : '']
    .filter(Boolean)
    .join(' · ');
}

function reviewLines(review: RecordedReview | null, place: TextPlace): string[] {
  if (review === null) return [];
  if (review.review === null) return part('review', `could not be had: ${review.reason}`, place);
  const text = reviewParts(review.review)
    .map(([name, value]) => `${name}: ${wordsOf(value)}`)
    .join('\n');
  return part(`review by ${printable(review.reviewer)}`, text, place);
}

function wordsOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(wordsOf).join('; ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
