import { markWords } from '../../../core/citation-marks';
import type { Citation } from '../../../core/hypothesis';
import { countText, eloText } from '../../../core/report/figure-text';
import type { HypothesisReport } from '../../../core/report/hypothesis-report';
import type {
  RecordedHypothesis,
  RecordedReview,
  RecordedToolCall,
} from '../../../core/report/recorded-bench';
import { reviewParts } from '../../../core/report/review-parts';
import { cutText } from '../plain-text';
import { type Content, html, type Markup } from './markup';
import { transcriptButton } from './page-frame';
import type { TranscriptStore } from './transcript-store';

export interface HypothesisSource {
  report: HypothesisReport;
  recorded: RecordedHypothesis;
  transcripts: TranscriptStore;
  /** Keys of its calls, in their order. */
  callKeys: readonly string[];
}

/** One slot, folded: in the summary what it is, inside all of it. Matches show a copy of its `.text`. */
export function hypothesisBlock({ report, recorded, transcripts, callKeys }: HypothesisSource): Markup {
  const { publicId, label, k, title, state } = report;
  const name = title ?? whyNone(report);
  return html`<details class="hypothesis" id="${publicId}" data-label="${label}" data-state="${state}">
<summary><span class="who">${label} <span class="slot">${k}</span></span><span class="what">${cutText(name, 240)}</span><span class="facts">${factsOf(report)}</span></summary>
<div class="inside">
${recorded.record ? textOf(recorded) : html`<p class="note">${whyNone(report)}${report.failureDetail ? `: ${report.failureDetail}` : ''}</p>`}
${reviewOf(recorded.review)}
${toolCallsOf(recorded.toolCalls)}
${callKeys.length > 0 ? html`<p class="calls">Transcripts: ${callKeys.map((key) => transcriptButton(transcripts, key, callName(key)))}</p>` : null}
</div>
</details>
`;
}

function whyNone({ state, failureKind, duplicateOf }: HypothesisReport): string {
  if (state === 'failed') return `failed: ${failureKind ?? 'unknown'}`;
  if (duplicateOf) return `too similar to ${duplicateOf}`;
  return state.replace('_', ' ');
}

function factsOf({
  elo,
  wins,
  losses,
  ties,
  state,
  isNudged,
  goldHits,
  title,
  duplicateOf,
}: HypothesisReport): Content {
  return [
    elo === null ? null : html`<span>Elo ${eloText(elo)}</span><span>${wins}-${losses}-${ties}</span>`,
    title !== null && duplicateOf ? html`<span class="chip">too similar to ${duplicateOf}</span>` : null,
    elo === null && title !== null && !duplicateOf
      ? html`<span class="chip">${state.replace('_', ' ')}</span>`
      : null,
    isNudged ? html`<span class="chip">nudged</span>` : null,
    goldHits.map((entity) => html`<span class="chip gold">${entity}</span>`),
  ];
}

function textOf({ record, unsupportedCitations }: RecordedHypothesis): Markup | null {
  if (record === null) return null;
  const unsupported = unsupportedCitations ?? [];
  return html`<div class="text">
<h3>${record.title}</h3>
${paragraphs(record.summary, 'lead')}
${paragraphs(record.fullText)}
<h4>Mechanism</h4>
${paragraphs(record.mechanism)}
<h4>Entities</h4>
<p class="chips">${record.entities.map((entity) => html`<span class="chip">${entity}</span> `)}</p>
<h4>What would prove it wrong</h4>
${paragraphs(record.falsification)}
${record.citations.length > 0 ? html`<h4>Citations</h4><ol>${record.citations.map(citationItem)}</ol>` : html`<p class="note">No citation that a tool had shown.</p>`}
${unsupported.length > 0 ? html`<h4>Cited, but seen in no tool’s answer</h4><ol>${unsupported.map(citationItem)}</ol>` : null}
</div>`;
}

export function paragraphs(text: string, name = ''): Markup[] {
  return text
    .split(/\n\s*\n/)
    .filter((part) => part.trim() !== '')
    .map((part) => (name === '' ? html`<p>${part.trim()}</p>` : html`<p class="${name}">${part.trim()}</p>`));
}

function citationItem(citation: Citation): Markup {
  const { url, title, excerpt } = citation;
  const marks = markWords(citation);
  return html`<li>${webLink(url, title)}${marks ? html` <span class="chip">${marks}</span>` : null}${excerpt ? html`<q>${excerpt}</q>` : null}</li>`;
}

/** A link where the address is one of the web; any other scheme could be a script. */
function webLink(url: string, title: string): Markup {
  const isWeb = /^https?:\/\//i.test(url) && URL.canParse(url);
  if (!isWeb) return html`${title} <span class="address">${url}</span>`;
  return html`<a href="${url}" rel="noopener noreferrer nofollow external" target="_blank">${title || url}</a> <span class="address">${url}</span>`;
}

function reviewOf(review: RecordedReview | null): Markup | null {
  if (review === null) return null;
  if (review.review === null) {
    return html`<details class="more"><summary>Review: could not be had (${review.reason})</summary></details>`;
  }
  return html`<details class="more"><summary>Review by ${review.reviewer}</summary><dl>${reviewParts(
    review.review,
  ).map(([name, value]) => html`<dt>${name}</dt><dd>${reviewPart(value)}</dd>`)}</dl></details>`;
}

function reviewPart(value: unknown): Content {
  if (Array.isArray(value)) return html`<ul>${value.map((item) => html`<li>${wordsOf(item)}</li>`)}</ul>`;
  return wordsOf(value);
}

function wordsOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function toolCallsOf(calls: readonly RecordedToolCall[]): Markup | null {
  if (calls.length === 0) return null;
  return html`<details class="more"><summary>${countText(calls.length, 'tool call')}</summary><ol class="tools">${calls.map(
    ({ tool, arguments: given, outcome, documents, failureKind }) =>
      html`<li><b>${tool}</b> <code>${cutText(given ?? 'no readable arguments', 300)}</code> ${(outcome ?? 'not answered').replace('_', ' ')}${failureKind ? `: ${failureKind}` : ''}${documents && documents.length > 0 ? `, ${countText(documents.length, 'document')}` : ''}</li>`,
  )}</ol></details>`;
}

function callName(key: string): string {
  const turn = /\/turn\/(\d+)$/.exec(key)?.[1];
  return turn === undefined ? 'review' : `turn ${turn}`;
}
