import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NONE } from '../../../core/report/figure-text';
import type { ReportColumn } from '../../../core/report/report-column';
import { type Content, html, Markup, trusted } from './markup';
import type { PackedGroup, TranscriptStore } from './transcript-store';

const STYLE = readFileSync(join(__dirname, 'page.css'), 'utf8');
const PAGE_SCRIPT = scriptOf('page.client.js');
/** For sheets of a blind sample. */
export const BLIND_SCRIPT = scriptOf('blind.client.js');

export interface PageParts {
  title: string;
  /** Links to the page's sections. */
  sections: readonly { id: string; name: string }[];
  body: Content;
  transcripts: readonly PackedGroup[];
  /** Left out: that of reports. */
  script?: string;
}

/**
 * A page that stands alone: style and script inside, nothing fetched. Its policy lets no other script run and nothing
 * be loaded, so text that got past the escaping could still do nothing.
 */
export function pageFrame({ title, sections, body, transcripts, script = PAGE_SCRIPT }: PageParts): string {
  const policy = `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-${hashOf(script)}'; base-uri 'none'; form-action 'none'`;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${trusted(STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
<div class="shell${sections.length === 0 ? ' alone' : ''}">
${sections.length === 0 ? null : html`<nav aria-label="Sections"><ul>${sections.map(({ id, name }) => html`<li><a href="#${id}">${name}</a></li>`)}</ul></nav>`}
<main id="main" tabindex="-1">
${body}
</main>
</div>
${script === PAGE_SCRIPT ? DIALOG : null}
${transcripts.map(transcriptBlock)}
<script>${trusted(script)}</script>
</body>
</html>
`;
  return page.text;
}

const DIALOG = html`<dialog id="transcript" aria-labelledby="transcript-title"><header><h2 id="transcript-title">Transcript</h2><button type="button" value="close">Close</button></header><div id="transcript-body" tabindex="0"></div></dialog>`;

function scriptOf(file: string): string {
  return readFileSync(join(__dirname, file), 'utf8');
}

function hashOf(script: string): string {
  return createHash('sha256').update(script).digest('base64');
}

/** base64 alone is in it: no character of it could end the element. */
function transcriptBlock({ name, packed }: PackedGroup): Markup {
  return html`<script type="application/gzip" data-group="${name}">${trusted(packed)}</script>
`;
}

/** Opens the call's transcript; nothing where the page carries none. */
export function transcriptButton(transcripts: TranscriptStore, key: string, name: string): Markup | null {
  const group = transcripts.groupName(key);
  if (group === null) return null;
  return html`<button type="button" class="quiet" data-transcript="${key}" data-in="${group}">${name}</button>`;
}

/** A table that scrolls by itself where it is wider than the page, also by keyboard. */
export function scrollTable(
  label: string,
  head: readonly Content[],
  rows: readonly (readonly Content[])[],
): Markup {
  const areNumbers = head.map((_, i) => i > 0 && isNumbers(rows.map((cells) => cells[i])));
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table>
<thead><tr>${head.map((cell, i) => html`<th scope="col"${classes(areNumbers[i] ? ['number'] : [])}>${cell}</th>`)}</tr></thead>
<tbody>${rows.map(
    (cells) => html`<tr>${cells.map((cell, i) => cellOf(cell, i === 0, areNumbers[i] ?? false))}</tr>
`,
  )}</tbody>
</table></div>`;
}

/**
 * @param shown by a column's name: what its cells hold in place of their bare words
 */
export function rowTable<Row>(
  label: string,
  columns: readonly ReportColumn<Row>[],
  rows: readonly Row[],
  shown: Record<string, (row: Row, words: string) => Content> = {},
): Markup {
  return scrollTable(
    label,
    columns.map(({ name }) => name),
    rows.map((row) => columns.map(({ name, text }) => shown[name]?.(row, text(row)) ?? text(row))),
  );
}

const figureCells = new WeakSet<Markup>();

/** Markup that is to stand on one line of its table. */
export function figureCell(cell: Markup): Markup {
  figureCells.add(cell);
  return cell;
}

function cellOf(cell: Content, isHead: boolean, isNumber: boolean): Markup {
  if (isHead) return html`<th scope="row"${classes(isFigure(cell) ? ['name'] : [])}>${cell}</th>`;
  const names = [...(isFigure(cell) ? ['figure'] : []), ...(isNumber ? ['number'] : [])];
  return html`<td${classes(names)}>${cell}</td>`;
}

/** Words of ours. */
function classes(names: readonly string[]): Markup | null {
  return names.length === 0 ? null : trusted(` class="${names.join(' ')}"`);
}

/** `1092`, `−13 to 12`, `≥ $0.0124`, `33.9 %`, `51.2 % to 60 %`, `34 % (23–47 %)`, `1/3`, `1–7`, `10-0-4`, `4.8k`, `12 ms`. */
const NUMBER =
  /^(?:≥ |< |p = |p < )?[−+]?\$?[\d.]+(?:[kM]|(?:\/|–|-\d+-| to [−+]?)\d+| % to [\d.]+ %| % \(\d+–\d+ %\)| (?:%|ms|s))?$/;

/** Numbers stand at the right of their column, so that their digits stand below each other. */
function isNumbers(cells: readonly Content[]): boolean {
  const said = cells.map(wordsOf).filter((words) => words !== NONE);
  return said.length > 0 && said.every((words) => NUMBER.test(words));
}

function wordsOf(cell: Content): string {
  return cell instanceof Markup ? cell.text.replace(/<[^>]*>/g, '') : String(cell);
}

/** Short enough to stand on one line. */
function isFigure(cell: Content): boolean {
  if (cell instanceof Markup) return figureCells.has(cell);
  return typeof cell === 'number' || (typeof cell === 'string' && cell.length <= 24);
}

export function section(id: string, title: string, ...content: Content[]): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${content}
</section>
`;
}
