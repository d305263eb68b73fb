import {
  SCIPIVOT_NOTE,
  scipivotCautions,
  scipivotColumns,
  scipivotDifferences,
  scipivotTitle,
} from '../../../core/report/scipivot-words';
import type { ScipivotSummary } from '../../../core/scipivot/summary';
import { html, type Markup } from './markup';
import { rowTable } from './page-frame';

/** Who was asked a SciΠvot data set, and what it came to. */
export function scipivotTable(summary: ScipivotSummary, isSimulated: boolean): Markup {
  const told = scipivotDifferences(summary);
  return html`<p>${scipivotTitle(summary)}.</p>
${rowTable('SciΠvot', scipivotColumns(isSimulated), summary.subjects)}
${told && html`<p>${told.head}</p><ul>${told.lines.map((line) => html`<li>${line}</li>`)}</ul>`}
<p class="note">${SCIPIVOT_NOTE}</p>
<p class="note">${scipivotCautions(summary).join(' ')}</p>`;
}
