import type { ReportColumn } from '../../../core/report/report-column';
import { cutText, plainLine, plainText } from '../plain-text';

/**
 * Any text as Markdown that shows exactly it, on one line, wherever a page puts it: in a cell, a heading, a list. No
 * character of it is markup, HTML, a link or a mention.
 */
export function inline(text: string, most = Number.POSITIVE_INFINITY): string {
  return escapeMarkup(cutText(plainLine(text), most));
}

/** A text of several paragraphs as a block quote. */
export function quote(text: string, most = Number.POSITIVE_INFINITY): string {
  return cutText(plainText(text).trim(), most)
    .split('\n')
    .map((line) => `> ${escapeMarkup(line.replace(/\s+/g, ' ').trim())}`.trimEnd())
    .join('\n');
}

/** @param cells Markdown already */
export function table(
  columns: readonly { name: string; align?: 'right' }[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(columns.map(({ name }) => name)),
    line(columns.map(({ align }) => (align === 'right' ? '--:' : '---'))),
    ...rows.map(line),
  ].join('\n');
}

/** @param rows whose words nobody has made safe yet */
export function rowTable<Row>(columns: readonly ReportColumn<Row>[], rows: readonly Row[]): string {
  return table(
    columns.map(({ name, holds }) => (holds === 'figures' ? { name, align: 'right' } : { name })),
    rows.map((row) =>
      columns.map(({ holds, text }) => (holds === 'given words' ? inline(text(row)) : text(row))),
    ),
  );
}

export function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

/** A code span; for names of our own making, which hold no backtick. */
export function code(text: string): string {
  return `\`${plainLine(text).replaceAll('`', 'ˋ').replaceAll('|', '\\|')}\``;
}

export function codeBlock(language: string, lines: readonly string[]): string {
  return [`\`\`\`${language}`, ...lines, '```'].join('\n');
}

/**
 * Backslashes before what may be markup inside a line, and before what may be at its start; entities where a
 * backslash is not enough: HTML, bare addresses and mentions.
 */
function escapeMarkup(line: string): string {
  return line
    .replace(/[\\`*_[\]|~#!$^{}]/g, '\\$&')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/@/g, '&#64;')
    .replace(/:\/\//g, '&#58;//')
    .replace(/(www)\./gi, '$1&#46;')
    .replace(/(mailto|xmpp|https?|ftp):/gi, '$1&#58;')
    .replace(/^([-+=]|\d{1,9}(?=[.)]))/, startEscape);
}

function startEscape(start: string): string {
  // A number cannot be escaped itself, only the point behind it: so it is written as an entity.
  return /^\d/.test(start) ? `&#${start.charCodeAt(0)};${start.slice(1)}` : `\\${start}`;
}
