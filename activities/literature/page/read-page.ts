import { decodeText } from './decode-text';
import { readHtmlPage } from './html-page';
import { capSections, NOTHING_DECLARED, type PageJob, type PageReading } from './page-reading';
import { readPdf } from './pdf-text';

/** Reads one page. Runs in a worker thread that is killed when it takes too long or too much memory. */
export async function readPage(job: PageJob): Promise<PageReading> {
  if (job.kind === 'pdf') return readPdf(job.bytes);
  const { text, remarks } = await decodeText(job.bytes, {
    charset: job.charset,
    isHtml: job.kind === 'html',
  });
  const reading = job.kind === 'html' ? await readHtmlPage(text, job.url) : readPlainText(text);
  return reading.kind === 'read' ? { ...reading, remarks: [...reading.remarks, ...remarks] } : reading;
}

function readPlainText(text: string): PageReading {
  if (text.trim() === '') return { kind: 'unread', failure: 'no_text', note: null };
  return { kind: 'read', ...NOTHING_DECLARED, ...capSections([{ label: null, text: text.trim() }]) };
}
