import { canonicalForms, parseHttpUrl } from './normalise-url';
import { cleanOutsideLine, cleanOutsideText, strikeCredentials } from './outside-text';
import type { DocumentFlag, Outcome, WorkIds } from './source';

/** What a source found, before withholding and cutting to size: this is what the cache holds. */
export interface Findings {
  outcome: Extract<Outcome, 'found' | 'nothing_found' | 'part_found'>;
  documents: FoundDocument[];
  /** How many the source has in all; null where it does not say. */
  total: number | null;
  notes: Note[];
  /** Day of receipt, `YYYY-MM-DD` in UTC: what is not marked as retracted was not marked that day. */
  receivedOn: string;
}

/** A remark on the answer as a whole. */
export interface Note {
  /** Our words. */
  says: string;
  /** The source's words. */
  quoted?: string;
}

export interface FoundDocument {
  url: string;
  /** Other addresses that led here: redirects, versions. */
  alsoAt: string[];
  /** null where the record has none. */
  title: string | null;
  authors: string[];
  /** `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; null when the record gives no date. */
  published: string | null;
  /** Journal, repository or site; null when unknown. */
  venue: string | null;
  ids: WorkIds;
  flags: DocumentFlag[];
  /** What a reader has to know of this record; our words. */
  remarks: string[];
  sections: Section[];
}

/** A piece of text with its heading, if it has one. */
export interface Section {
  label: string | null;
  text: string;
}

export const NO_IDS: WorkIds = { doi: null, pmid: null, pmcid: null, arxivId: null };

/** Everything from outside made harmless and storable, and records of one work made one. */
export function tidyFindings(findings: Findings): Findings {
  return {
    ...findings,
    documents: mergeSameWorks(findings.documents.map(tidyDocument)),
    notes: findings.notes.map(({ says, quoted }) =>
      quoted === undefined ? { says } : { says, quoted: tidyQuote(quoted) },
    ),
  };
}

/** A source's own message: short, harmless and without credentials. */
export function tidyQuote(text: string): string {
  return cleanOutsideLine(strikeCredentials(text)).slice(0, 500);
}

/** The document's text with its headings. */
export function documentText({ sections }: FoundDocument): string {
  return sections.map(({ label, text }) => (label ? `${label}: ${text}` : text)).join('\n\n');
}

export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

function tidyDocument(document: FoundDocument): FoundDocument {
  const title = document.title === null ? '' : cleanOutsideLine(document.title);
  const venue = document.venue === null ? '' : cleanOutsideLine(document.venue);
  return {
    ...document,
    url: tidyUrl(document.url),
    alsoAt: document.alsoAt.map(tidyUrl),
    title: title || null,
    venue: venue || null,
    authors: document.authors.map(cleanOutsideLine).filter((name) => name !== ''),
    flags: [...new Set(document.flags)],
    sections: document.sections
      .map(({ label, text }) => ({
        label: label === null ? null : cleanOutsideLine(label) || null,
        text: cleanOutsideText(text),
      }))
      .filter(({ text }) => text !== ''),
  };
}

/** As the URL standard writes it: without white space or angle brackets. */
function tidyUrl(url: string): string {
  return parseHttpUrl(url)?.href ?? cleanOutsideLine(url);
}

/** By any address or id in common; the earlier record leads, and what it lacks is taken from the later one. */
function mergeSameWorks(documents: readonly FoundDocument[]): FoundDocument[] {
  const merged: FoundDocument[] = [];
  const placeOf = new Map<string, number>();
  for (const document of documents) {
    const forms = canonicalForms(document.ids, document.url);
    const known = forms.map((form) => placeOf.get(form)).find((place) => place !== undefined);
    const place = known ?? merged.length;
    const earlier = merged[place];
    merged[place] = earlier ? mergeTwo(earlier, document) : document;
    for (const form of forms) placeOf.set(form, place);
  }
  return merged;
}

function mergeTwo(first: FoundDocument, second: FoundDocument): FoundDocument {
  return {
    ...first,
    alsoAt: [...new Set([...first.alsoAt, second.url, ...second.alsoAt])],
    title: first.title ?? second.title,
    published: first.published ?? second.published,
    venue: first.venue ?? second.venue,
    ids: {
      doi: first.ids.doi ?? second.ids.doi,
      pmid: first.ids.pmid ?? second.ids.pmid,
      pmcid: first.ids.pmcid ?? second.ids.pmcid,
      arxivId: first.ids.arxivId ?? second.ids.arxivId,
    },
    flags: [...new Set([...first.flags, ...second.flags])],
    remarks: [...new Set([...first.remarks, ...second.remarks])],
    sections: first.sections.length > 0 ? first.sections : second.sections,
  };
}
