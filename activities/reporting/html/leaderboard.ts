import type { BenchReport } from '../../../core/report/bench-report';
import type { CandidateReport } from '../../../core/report/candidate-report';
import {
  costText,
  countsText,
  durationText,
  eloText,
  intervalText,
  NONE,
  rangeText,
  rankText,
  shareText,
  tokensText,
} from '../../../core/report/figure-text';
import { TOO_FEW } from '../../../core/report/rating-words';
import type { WinCell } from '../../../core/report/win-matrix';
import { type Content, html, type Markup } from './markup';
import { figureCell, scrollTable } from './page-frame';
import { shortLabel } from './plots/draw-plot';

/** The candidates by rank, with what is known of their ratings. */
export function leaderboard({ candidates, ratings, plan, rescores }: BenchReport): Markup {
  const byLabel = new Map(ratings?.given.candidates.map((rating) => [rating.candidate, rating]));
  const size = rescores.find(({ isRuntime }) => isRuntime)?.size ?? null;
  const hasGold = plan.goldSet !== null;
  return scrollTable(
    'Leaderboard',
    [
      ...['candidate', 'mode', '#', 'rating', '95 % interval', 'rank', 'letters', 'W-L-T', 'mean Elo'],
      ...(hasGold ? ['gold'] : []),
      ...['hypotheses', 'failures'],
    ],
    candidates.map((candidate) => {
      const rating = byLabel.get(candidate.label);
      return [
        nameCell(candidate),
        candidate.mode,
        rating?.rank ?? NONE,
        figureCell(html`<b>${eloText(rating?.rating ?? null)}</b>`),
        rating?.whyNoInterval
          ? html`<span class="note">no interval: ${TOO_FEW[rating.whyNoInterval]}</span>`
          : intervalText(rating?.interval ?? null),
        rankText(rating?.rankLow ?? null, rating?.rankHigh ?? null),
        rating?.letters || NONE,
        `${candidate.wins}-${candidate.losses}-${candidate.ties}`,
        eloText(candidate.meanElo),
        ...(hasGold ? [goldCell(candidate, size)] : []),
        `${candidate.nHypotheses}/${candidate.nPlanned}`,
        countsText(candidate.failures),
      ];
    }),
  );
}

export function spending({ candidates, isSimulated }: BenchReport): Markup {
  return scrollTable(
    'Costs and latencies',
    [
      ...[
        'candidate',
        'model',
        isSimulated ? 'simulated $' : 'cost',
        'tokens in',
        'out',
        'of these reasoning',
      ],
      ...['thinking', 'latency p50', 'p95', 'calls without an answer'],
    ],
    candidates.map((candidate) => [
      nameCell(candidate),
      `${candidate.provider}:${candidate.model}`,
      costText(candidate),
      tokensText(candidate.inputTokens),
      tokensText(candidate.outputTokens),
      tokensText(candidate.reasoningTokens),
      String(candidate.thinking),
      candidate.latency ? durationText(candidate.latency.p50Ms) : NONE,
      candidate.latency ? durationText(candidate.latency.p95Ms) : NONE,
      countsText(candidate.unansweredCalls),
    ]),
  );
}

/** Mean score of the row's candidate against the column's; the darker, the more. */
export function matrix({ candidates, winMatrix }: BenchReport): Markup {
  const met = winMatrix.flatMap((row) => row.filter((cell) => cell !== null && cell.score !== null));
  if (met.length === 0) return html`<p class="note">No two of its candidates have met in a match.</p>`;
  const counts = met.map(playedOf);
  const rows = candidates.map((candidate, i): Content[] => [
    html`<span title="${candidate.label}"><span class="place">${i + 1}</span> ${shortLabel(candidate.label, 26)}</span>`,
    ...winMatrix[i]!.map((cell, j): Content => {
      if (cell === null) return html`<span class="self" aria-label="itself">·</span>`;
      if (cell.score === null) return html`<span class="unmet" title="not played">${NONE}</span>`;
      const title = `${candidate.label} against ${candidates[j]!.label}: ${cell.wins}-${cell.losses}-${cell.ties} (won, lost, tied)`;
      return html`<span class="heat" style="--share:${Math.round(cell.score * 100)}" title="${title}">${shareText(cell.score, playedOf(cell))}</span>`;
    }),
  ]);
  return html`<p class="note">Mean match score of the row against the column, over ${rangeText(counts)} ${Math.max(...counts) === 1 ? 'match' : 'matches'} a pair; a tie is ½.</p>
<div class="matrix">${scrollTable('Win matrix', ['against', ...candidates.map((_, i) => String(i + 1))], rows)}</div>`;
}

function playedOf(cell: WinCell | null): number {
  return cell === null ? 0 : cell.wins + cell.losses + cell.ties;
}

/** Up to so many characters a label is not broken into lines. */
const SHORT_LABEL = 34;

function nameCell({ label, mode, state }: CandidateReport): Markup {
  const odd = state === 'ready' ? null : html` <span class="chip">${state.replace('_', ' ')}</span>`;
  const cell = html`<span class="dot ${mode}" title="${mode}"></span>${label}${odd}`;
  return label.length <= SHORT_LABEL ? figureCell(cell) : cell;
}

function goldCell({ goldHits, goldHitNames }: CandidateReport, size: number | null): Content {
  if (goldHits === null) return 'not scored';
  const text = size === null ? String(goldHits) : `${goldHits}/${size}`;
  return figureCell(html`<span title="${goldHitNames?.join(', ') ?? ''}">${text}</span>`);
}
