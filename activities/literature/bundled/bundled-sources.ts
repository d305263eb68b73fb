import { z } from 'zod';
import { SourceFailure } from '../failure';
import { dayOf } from '../findings';
import { literatureTool } from '../literature-tool';
import { maxResultsArgument, oneLine, queryArgument, SEARCH_VIEW } from '../search-arguments';
import type { LiteratureSource } from '../source';
import { bundledLibrary, type Shelf } from './bundled-notes';

const SEARCHES: { name: string; shelf: Shelf }[] = [
  { name: 'search_pubmed', shelf: 'pubmed' },
  { name: 'search_arxiv', shelf: 'arxiv' },
  { name: 'search_europe_pmc', shelf: 'europe_pmc' },
  { name: 'search_web', shelf: 'web' },
];

/** The five tools over the bundled set: offline, the same answer every time. */
export function bundledSources(): LiteratureSource[] {
  return [...SEARCHES.map(searchShelf), fetchNote()];
}

function searchShelf({ name, shelf }: { name: string; shelf: Shelf }): LiteratureSource {
  return literatureTool({
    name,
    description: 'Searches the bundled practice notes by words and returns titles, abstracts and addresses.',
    schema: z.strictObject({ query: queryArgument('Words to search for.'), maxResults: maxResultsArgument }),
    readingVersion: 1,
    isOffline: true,
    question: (args) => args,
    view: () => SEARCH_VIEW,
    async ask(args, context) {
      const hits = bundledLibrary().search(shelf, oneLine(args.query));
      return {
        outcome: hits.length > 0 ? 'found' : 'nothing_found',
        documents: hits.slice(0, args.maxResults),
        total: hits.length,
        notes: [],
        receivedOn: dayOf(context.now()),
      };
    },
  });
}

function fetchNote(): LiteratureSource {
  return literatureTool({
    name: 'fetch_page',
    description: 'Fetches one of the bundled practice notes by its address, with its whole text.',
    schema: z.strictObject({
      url: z.string().max(2000).describe('An address that a search returned.'),
      offset: z.int().min(0).max(10_000_000).default(0).describe('The character to go on from.'),
    }),
    readingVersion: 1,
    isOffline: true,
    question: (args) => args,
    view: ({ offset }) => ({ offset, maxChars: 16_000 }),
    async ask({ url }, context) {
      const document = bundledLibrary().fetch(url);
      if (!document) throw new SourceFailure('not_found', 'This bench reads bundled notes only.');
      return {
        outcome: 'found',
        documents: [document],
        total: null,
        notes: [],
        receivedOn: dayOf(context.now()),
      };
    },
  });
}
