import { dirname, join } from 'node:path';
import type { Section } from '../findings';
import { capSections, MAX_TEXT_CHARS, NOTHING_DECLARED, type PageReading } from './page-reading';

const MAX_PAGES = 100;
/** A page of a paper has thousands; scans give a few stray ones. */
const MIN_CHARS_PER_PAGE = 25;

/** The text layer of a PDF, page by page. */
export async function readPdf(bytes: Uint8Array): Promise<PageReading> {
  const pdfjs = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const folder = dirname(require.resolve('pdfjs-dist/package.json'));
  const loading = pdfjs.getDocument({
    data: new Uint8Array(bytes),
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    // Without these, text in CJK fonts that are not embedded comes out empty.
    cMapUrl: join(folder, 'cmaps/'),
    cMapPacked: true,
    standardFontDataUrl: join(folder, 'standard_fonts/'),
    verbosity: pdfjs.VerbosityLevel.ERRORS,
  });
  try {
    return await readPages(await loading.promise);
  } catch (error) {
    const isLocked = (error as { name?: unknown } | null)?.name === 'PasswordException';
    return isLocked
      ? { kind: 'unread', failure: 'no_text', note: 'The PDF is locked by a password.' }
      : { kind: 'unread', failure: 'unreadable', note: 'It is no readable PDF.' };
  } finally {
    await loading.destroy();
  }
}

interface PdfDocument {
  numPages: number;
  getPage(number: number): Promise<{ getTextContent(): Promise<{ items: unknown[] }>; cleanup(): unknown }>;
  getMetadata(): Promise<{ info: object }>;
}

async function readPages(document: PdfDocument): Promise<PageReading> {
  const pages = Math.min(document.numPages, MAX_PAGES);
  const sections: Section[] = [];
  let length = 0;
  for (let number = 1; number <= pages && length <= MAX_TEXT_CHARS; number++) {
    const page = await document.getPage(number);
    const text = joinItems((await page.getTextContent()).items);
    page.cleanup();
    length += text.length;
    if (text) sections.push({ label: `Page ${number}`, text });
  }
  if (length < MIN_CHARS_PER_PAGE * pages)
    return { kind: 'unread', failure: 'no_text', note: 'The PDF has no text layer: its pages are images.' };
  const { sections: kept, remarks } = capSections(sections);
  const left =
    document.numPages > MAX_PAGES ? [`Only ${MAX_PAGES} of ${document.numPages} pages were read.`] : [];
  return {
    kind: 'read',
    ...NOTHING_DECLARED,
    title: await readTitle(document),
    sections: kept,
    remarks: ['Text taken from a PDF: columns and tables may be out of order.', ...left, ...remarks],
  };
}

/** Ligatures are spelled out, and words cut at a line's end rejoined; nothing else is altered. */
function joinItems(items: unknown[]): string {
  return items
    .map((item) => {
      const { str, hasEOL } = item as { str?: unknown; hasEOL?: unknown };
      return `${typeof str === 'string' ? str : ''}${hasEOL === true ? '\n' : ''}`;
    })
    .join('')
    .replace(/[\uFB00-\uFB06]/g, (ligature) => ligature.normalize('NFKC'))
    .replace(/(\p{Ll})-\n(?=\p{Ll})/gu, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Word processors leave file names there; those are no titles. */
async function readTitle(document: PdfDocument): Promise<string | null> {
  const { info } = await document.getMetadata();
  const title = 'Title' in info && typeof info.Title === 'string' ? info.Title.trim() : '';
  const isFileName =
    /\.(?:docx?|tex|pdf|indd|dvi|qxd)$/i.test(title) || /^(?:microsoft word|untitled|slide 1)/i.test(title);
  return title.length >= 8 && !isFileName ? title : null;
}
