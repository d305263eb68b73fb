import {
  SCIPIVOT_NOTE,
  scipivotCautions,
  scipivotColumns,
  scipivotDifferences,
  scipivotTitle,
} from '../../../core/report/scipivot-words';
import type { ScipivotSummary } from '../../../core/scipivot/summary';
import { html, type Markup } from './markup';
import { scrollTable } from './page-frame';

/** Who was asked a SciΠvot data set, and what it came to. */
export function scipivotTable(summary: ScipivotSummary, isSimulated: boolean): Markup {
  const columns = scipivotColumns(isSimulated);
  const told = scipivotDifferences(summary);
  return html`<p>${scipivotTitle(summary)}.</p>
${scrollTable(
  'SciΠvot',
  columns.map(({ name }) => name),
  summary.subjects.map((subject) => columns.map(({ value }) => value(subject))),
)}
${told && html`<p>${told.head}</p><ul>${told.lines.map((line) => html`<li>${line}</li>`)}</ul>`}
<p class="note">${SCIPIVOT_NOTE}</p>
<p class="note">${scipivotCautions(summary).join(' ')}</p>`;
}
