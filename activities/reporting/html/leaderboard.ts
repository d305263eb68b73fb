import type { BenchReport } from '../../../core/report/bench-report';
import type { CandidateReport } from '../../../core/report/candidate-report';
import { NONE, rangeText, shareText } from '../../../core/report/figure-text';
import {
  CANDIDATE_COLUMNS,
  RANK_COLUMN,
  spendingColumns,
  standingColumns,
  standingsOf,
} from '../../../core/report/report-tables';
import type { WinCell } from '../../../core/report/win-matrix';
import { type Content, html, type Markup } from './markup';
import { figureCell, rowTable, scrollTable } from './page-frame';
import { shortLabel } from './plots/draw-plot';

/** The candidates by rank, with what is known of their ratings. */
export function leaderboard(report: BenchReport): Markup {
  const columns = [...CANDIDATE_COLUMNS, RANK_COLUMN, ...standingColumns(report)];
  return rowTable('Leaderboard', columns, standingsOf(report), {
    candidate: ({ candidate }) => nameCell(candidate),
    rating: (_, words) => figureCell(html`<b>${words}</b>`),
    '95 % interval': ({ rating }, words) =>
      rating?.whyNoInterval ? html`<span class="note">${words}</span>` : words,
    gold: ({ candidate: { goldHits, goldHitNames } }, words) =>
      goldHits === null
        ? words
        : figureCell(html`<span title="${goldHitNames?.join(', ') ?? ''}">${words}</span>`),
  });
}

export function spending(report: BenchReport): Markup {
  return rowTable('Costs and latencies', spendingColumns(report), report.candidates, { candidate: nameCell });
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
