import type { RubricReport } from '../../../core/report/rubric-report';
import {
  RUBRIC_COLUMNS,
  RUBRIC_INTERVAL,
  RUBRIC_NOTE,
  rubricCautions,
  rubricCostText,
  rubricTitle,
} from '../../../core/report/rubric-words';
import { html, type Markup } from './markup';
import { rowTable } from './page-frame';

export function rubricTables(rubric: RubricReport): Markup {
  return html`<p class="note">${RUBRIC_NOTE} ${RUBRIC_INTERVAL} ${rubricCostText(rubric)}</p>
${rubric.parts.map((part) => {
  const cautions = rubricCautions(part);
  return html`<h3>${rubricTitle(part)}</h3>
${cautions.length > 0 ? html`<p class="note">${cautions.join(' ')}</p>` : null}
${rowTable(rubricTitle(part), RUBRIC_COLUMNS, part.rows)}`;
})}`;
}
