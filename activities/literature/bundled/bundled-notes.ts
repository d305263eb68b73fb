import MiniSearch from 'minisearch';
import { readDataFile } from '../../../presets/data-file';
import { type FoundDocument, NO_IDS, type Section } from '../findings';
import { canonicalUrl } from '../normalise-url';
import type { DocumentFlag } from '../source';

/** The set that comes with the project, for benches without a network. */
export interface NotesFile {
  name: string;
  notice: string;
  /** Address under which each note is cited; on a domain that is reserved for examples (RFC 2606). */
  source: string;
  notes: BundledNote[];
}

export interface BundledNote {
  id: string;
  /** Which tools find it; `fetch_page` fetches all. */
  shelves: Shelf[];
  title: string;
  published: string;
  flags: DocumentFlag[];
  abstract: Section[];
  body: string[];
}

export type Shelf = 'pubmed' | 'arxiv' | 'europe_pmc' | 'web';

export interface BundledLibrary {
  /** Best match first; equal scores by id. Deterministic. */
  search(shelf: Shelf, query: string): FoundDocument[];
  /** With its whole text; null when there is no such note. */
  fetch(url: string): FoundDocument | null;
}

/** Reads and indexes the set once per process. */
export function bundledLibrary(): BundledLibrary {
  library ??= openLibrary(readDataFile<NotesFile>('literature', 'aml-practice-notes'));
  return library;
}

let library: BundledLibrary | undefined;

function openLibrary(file: NotesFile): BundledLibrary {
  const byId = new Map(file.notes.map((note) => [note.id, note]));
  const byUrl = new Map(file.notes.map((note) => [canonicalUrl(file.source + note.id), note]));
  const index = new MiniSearch({
    fields: ['title', 'abstract', 'body'],
    storeFields: ['shelves'],
    searchOptions: { boost: { title: 2 }, combineWith: 'OR' },
  });
  index.addAll(
    file.notes.map(({ id, shelves, title, abstract, body }) => ({
      id,
      shelves,
      title,
      abstract: abstract.map(({ text }) => text).join(' '),
      body: body.join(' '),
    })),
  );
  return {
    search: (shelf, query) =>
      index
        .search(plainWords(query), { filter: ({ shelves }) => (shelves as Shelf[]).includes(shelf) })
        .sort((a, b) => b.score - a.score || (String(a.id) < String(b.id) ? -1 : 1))
        .flatMap(({ id }) => byId.get(String(id)) ?? [])
        .map((note) => toDocument(file, note, note.abstract)),
    fetch: (url) => {
      const note = byUrl.get(canonicalUrl(url));
      if (!note) return null;
      const body = note.body.map((text) => ({ label: null, text }));
      return toDocument(file, note, [...note.abstract, ...body]);
    },
  };
}

/** Fields, operators and words that nearly every text holds say nothing to a search by words. */
function plainWords(query: string): string {
  return query
    .replace(/\[[a-z ]+\]|\b[a-z_]+:(?=\S)/gi, ' ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !STOP_WORDS.has(word.toLowerCase()))
    .join(' ');
}

const STOP_WORDS = new Set(
  'a an and andnot are as at by can for from how in is it not of on or that the their this to what which with'.split(
    ' ',
  ),
);

function toDocument(file: NotesFile, note: BundledNote, sections: Section[]): FoundDocument {
  return {
    url: file.source + note.id,
    alsoAt: [],
    title: note.title,
    authors: ['co-scientist-bench'],
    published: note.published,
    venue: 'Practice notes of co-scientist-bench',
    ids: NO_IDS,
    flags: ['bundled', ...note.flags],
    remarks: [],
    sections,
  };
}
