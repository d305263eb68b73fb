import { turnKeys } from '../../../core/ids';
import { sideAt } from '../../../core/outcome';
import { NONE, scoreText, usdText } from '../../../core/report/figure-text';
import type { RecordedMatch, RecordedVerdict } from '../../../core/report/recorded-bench';
import { paragraphs } from './hypothesis-block';
import { type Content, html, type Markup } from './markup';
import { transcriptButton } from './page-frame';
import type { TranscriptStore } from './transcript-store';

/** What a match's sides are called on a page. */
export interface MatchNames {
  /** Labels by candidate id. */
  labels: ReadonlyMap<string, string>;
  hypotheses: ReadonlyMap<string, { publicId: string; k: number; title: string | null }>;
}

/** One match, folded: who met whom and what came of it; inside both texts side by side and every verdict. */
export function matchBlock(match: RecordedMatch, names: MatchNames, transcripts: TranscriptStore): Markup {
  const a = sideOf(match.candA, match.hypA, names);
  const b = sideOf(match.candB, match.hypB, names);
  const { text, kind } = resultOf(match);
  return html`<details class="match" id="m${match.index}" data-a="${a.label}" data-b="${b.label}" data-kind="${kind}">
<summary><span class="index">${match.index}</span><span class="${match.winner === 'a' ? 'won' : 'side-name'}">${a.name}</span><span class="result ${kind}">${text}</span><span class="${match.winner === 'b' ? 'won' : 'side-name'}">${b.name}</span></summary>
<div class="inside">
<div class="pair">${[sideBlock('A', a), sideBlock('B', b)]}</div>
${match.verdicts.length === 0 ? html`<p class="note">No verdict${match.reason ? `: ${match.reason.replace('_', ' ')}` : ''}.</p>` : null}
<div class="pair">${match.verdicts.map((verdict) => verdictBlock(verdict, a, b, transcripts))}</div>
${match.judgeCostUsd === null ? null : html`<p class="note">Known cost of its verdicts: ${usdText(match.judgeCostUsd)}; A’s score ${scoreText(match.scoreA)}.</p>`}
</div>
</details>
`;
}

interface Side {
  label: string;
  name: string;
  publicId: string | null;
  title: string | null;
}

function sideOf(candidateId: string, hypothesisId: string, { labels, hypotheses }: MatchNames): Side {
  const label = labels.get(candidateId) ?? candidateId;
  const hypothesis = hypotheses.get(hypothesisId);
  return {
    label,
    name: hypothesis ? `${label} ${hypothesis.k}` : label,
    publicId: hypothesis?.publicId ?? null,
    title: hypothesis?.title ?? null,
  };
}

/** The text itself is put here from the hypothesis's own block when the match is opened. */
function sideBlock(side: 'A' | 'B', { name, publicId, title }: Side): Markup {
  const link = publicId ? html`<a href="#${publicId}">${title ?? 'no hypothesis'}</a>` : NONE;
  return html`<article class="side"><h3><span class="letter">${side}</span> ${name}</h3><div data-text-of="${publicId ?? ''}"><p>${link}</p></div></article>`;
}

function resultOf({ state, winner, agreement, reason }: RecordedMatch): { text: string; kind: string } {
  if (state !== 'played')
    return {
      text: state === 'planned' ? 'waits' : `unplayed: ${(reason ?? 'unknown').replaceAll('_', ' ')}`,
      kind: 'unplayed',
    };
  if (agreement === 'flip') return { text: 'tie by flip', kind: 'flip' };
  if (winner === 'tie') return { text: 'tie', kind: 'tie' };
  const half = agreement === 'half_flip' ? ', half flip' : '';
  return {
    text: winner === 'a' ? `◀ A wins${half}` : `B wins${half} ▶`,
    kind: agreement === 'half_flip' ? 'half' : 'clear',
  };
}

function verdictBlock(verdict: RecordedVerdict, a: Side, b: Side, transcripts: TranscriptStore): Markup {
  const { order, judge, winnerPosition, state, reason, detail, rationale, scores, callKey, repeat } = verdict;
  const debate = turnKeys(callKey).slice(0, -1);
  const shownFirst = order === 'ab' ? a.name : b.name;
  return html`<article class="verdict">
<h4>${order === 'ab' ? 'A first' : 'B first'}${repeat > 0 ? ', asked again' : ''}: ${namedBy(verdict)}</h4>
<p class="note">${judge}; shown first: ${shownFirst}${winnerPosition && winnerPosition !== 'tie' ? `; named: the ${winnerPosition}` : ''} ${transcriptButton(transcripts, callKey, 'transcript')}${debate.map((key, i) => html` ${transcriptButton(transcripts, key, `argument ${i + 1}`)}`)}</p>
${state === 'invalid' ? html`<p>Could not be had: ${reason}${detail ? ` (${detail})` : ''}</p>` : paragraphs(rationale ?? '')}
${scores && scores.length > 0 ? scoreTable(scores, order) : null}
</article>`;
}

function namedBy({ order, winnerPosition, state }: RecordedVerdict): Content {
  if (state === 'invalid' || winnerPosition === null) return 'no verdict';
  const side = sideAt(order, winnerPosition);
  return side === 'tie' ? 'a tie' : html`<b>${side.toUpperCase()}</b> wins`;
}

/** By side, whatever the order in which they were shown. */
function scoreTable(scores: NonNullable<RecordedVerdict['scores']>, order: RecordedVerdict['order']): Markup {
  return html`<table class="scores" aria-label="Scores by criterion"><thead><tr><th scope="col">criterion</th><th scope="col">A</th><th scope="col">B</th></tr></thead><tbody>${scores.map(
    ({ criterion, first, second }) => {
      const [ofA, ofB] = order === 'ab' ? [first, second] : [second, first];
      return html`<tr><th scope="row">${criterion}</th><td>${ofA}</td><td>${ofB}</td></tr>`;
    },
  )}</tbody></table>`;
}
