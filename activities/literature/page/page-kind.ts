import { SourceFailure } from '../failure';
import type { PageKind } from './page-reading';

/** What can be read: HTML, XHTML, plain text, Markdown and PDF. */
const DECLARED: Record<string, PageKind> = {
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'text/plain': 'text',
  'text/markdown': 'text',
  'application/pdf': 'pdf',
  'application/x-pdf': 'pdf',
};
/** Types that say nothing: the bytes decide. */
const VAGUE = [
  '',
  'application/octet-stream',
  'binary/octet-stream',
  'application/force-download',
  'application/download',
];

/**
 * Kind and charset of a page. Neither header nor file name is trusted: `%PDF-` in the first 1,024 bytes is a PDF, and
 * a "PDF" that begins as HTML is a landing page or a barrier.
 * @throws SourceFailure `unsupported_type`
 */
export function pageKind(
  bytes: Uint8Array,
  contentType: string | null,
): { kind: PageKind; charset: string | null } {
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim());
  const opening = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  const declared = DECLARED[type.toLowerCase()];
  const charset = readCharset(parameters);
  if (opening.includes('%PDF-')) return { kind: 'pdf', charset };
  if (declared === 'html' || looksLikeHtml(opening)) return { kind: 'html', charset };
  if (declared === 'text' || VAGUE.includes(type.toLowerCase())) {
    // Two NUL bytes in four are UTF-16; elsewhere text has none.
    if (!opening.includes('\0') || /^(?:\xFF\xFE|\xFE\xFF)/.test(opening)) return { kind: 'text', charset };
  }
  throw new SourceFailure('unsupported_type', declared === 'pdf' ? 'It is called a PDF, but is none.' : null);
}

function readCharset(parameters: string[]): string | null {
  const parameter = parameters.find((part) => /^charset\s*=/i.test(part));
  return parameter?.replace(/^charset\s*=\s*/i, '').replace(/^["']|["']$/g, '') || null;
}

function looksLikeHtml(opening: string): boolean {
  return /^(?:\xEF\xBB\xBF)?\s*(?:<!--[\s\S]*?-->\s*)*<(?:!doctype\s+html|html|head|body|title|meta|script|div|p|h1)\b/i.test(
    opening,
  );
}
