import type { FailureKind } from '../failure';
import type { Section } from '../findings';

/** What a worker thread is given to read. */
export interface PageJob {
  kind: PageKind;
  bytes: Uint8Array;
  /** As the `content-type` header declares it; null when it does not. */
  charset: string | null;
  url: string;
}

export type PageKind = 'html' | 'text' | 'pdf';

/** What it came to. Plain data: it crosses a thread. */
export type PageReading =
  | {
      kind: 'read';
      title: string | null;
      /** The page's own `<title>`, in which marks like `RETRACTED:` stand; null where there is none. */
      headTitle: string | null;
      authors: string[];
      /** As the page writes it. */
      published: string | null;
      venue: string | null;
      doi: string | null;
      pmid: string | null;
      pdfUrl: string | null;
      sections: Section[];
      remarks: string[];
    }
  | { kind: 'unread'; failure: FailureKind; note: string | null };

/** Beyond this the rest is left out, and said so. */
export const MAX_TEXT_CHARS = 200_000;

export const NOTHING_DECLARED = {
  title: null,
  headTitle: null,
  authors: [],
  published: null,
  venue: null,
  doi: null,
  pmid: null,
  pdfUrl: null,
} satisfies Partial<PageReading>;

/** A longer heading is a text that somebody marked as one. */
const MAX_LABEL_CHARS = 500;
const BETWEEN = '\n\n';

/** Keeps whole sections from the start up to the limit, headings and the lines between them counted. */
export function capSections(sections: Section[]): { sections: Section[]; remarks: string[] } {
  let room = MAX_TEXT_CHARS;
  const kept: Section[] = [];
  for (const { label, text } of sections) {
    if (room <= 0) break;
    kept.push({ label: label?.slice(0, MAX_LABEL_CHARS) ?? null, text: text.slice(0, room) });
    room -= (kept.length > 1 ? BETWEEN.length : 0) + (kept.at(-1)?.label?.length ?? 0) + text.length;
  }
  const isCut = room < 0 || kept.length < sections.length;
  return { sections: kept, remarks: isCut ? [`Only the first ${MAX_TEXT_CHARS} characters were read.`] : [] };
}
