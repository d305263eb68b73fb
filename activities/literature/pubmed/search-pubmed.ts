import { z } from 'zod';
import { SourceFailure } from '../failure';
import { dayOf, type Findings, type Note } from '../findings';
import type { LiteratureSettings } from '../literature-settings';
import { literatureTool } from '../literature-tool';
import { maxResultsArgument, oneLine, queryArgument, SEARCH_VIEW, yearArgument } from '../search-arguments';
import type { LiteratureContext, LiteratureSource } from '../source';
import { fetchPubmedRecords, type PubmedHits, searchPubmed } from './pubmed-client';

const schema = z.strictObject({
  query: queryArgument('Words or a query in PubMed syntax (fields like [tiab] and [mh], AND, OR, NOT).'),
  maxResults: maxResultsArgument,
  sort: z.enum(['relevance', 'pub_date']).default('relevance').describe('Best match first, or newest first.'),
  fromYear: yearArgument('Published in this year or later.'),
  toYear: yearArgument('Published in this year or earlier.'),
});

/** PubMed: two requests, the search and the records. */
export function searchPubmedSource(settings: LiteratureSettings): LiteratureSource {
  return literatureTool({
    name: 'search_pubmed',
    description:
      'Searches PubMed (biomedical literature) and returns titles, abstracts and ids. Retracted papers are marked.',
    schema,
    readingVersion: 2,
    question: (args) => ({ ...args, query: oneLine(args.query), base: settings.baseUrls.pubmed }),
    view: () => SEARCH_VIEW,
    async ask(args, context) {
      const hits = await searchPubmed(settings, context, {
        term: oneLine(args.query),
        maxResults: args.maxResults,
        sort: args.sort,
        fromYear: args.fromYear ?? null,
        toYear: args.toYear ?? null,
      });
      return hits.pmids.length === 0
        ? { ...emptyFindings(hits, context), outcome: 'nothing_found' }
        : fetchHits(settings, context, hits);
    },
  });
}

/** Records are matched by PMID, never by their place. */
async function fetchHits(
  settings: LiteratureSettings,
  context: LiteratureContext,
  hits: PubmedHits,
): Promise<Findings> {
  const records = await fetchPubmedRecords(settings, context, hits.pmids);
  const documents = hits.pmids.flatMap((pmid) => records.get(pmid) ?? []);
  if (documents.length === 0)
    throw new SourceFailure('unreadable', 'PubMed found records, but gave none of them out.', {
      isRetryable: false,
    });
  const missing = hits.pmids.filter((pmid) => !records.has(pmid));
  const findings = emptyFindings(hits, context);
  return {
    ...findings,
    outcome: missing.length > 0 ? 'part_found' : 'found',
    documents,
    notes:
      missing.length > 0
        ? [...findings.notes, { says: `Without record: PMID ${missing.join(', ')}.` }]
        : findings.notes,
  };
}

function emptyFindings(hits: PubmedHits, context: LiteratureContext): Omit<Findings, 'outcome'> {
  const notes: (Note | null)[] = [
    hits.searchedAs ? { says: 'PubMed searched it as:', quoted: hits.searchedAs } : null,
    hits.notFound.length > 0
      ? {
          says: 'PubMed knows none of these words and searched without them, which widens the search:',
          quoted: hits.notFound.join('; '),
        }
      : null,
    hits.warnings.length > 0 ? { says: 'PubMed remarks:', quoted: hits.warnings.join('; ') } : null,
  ];
  return {
    documents: [],
    total: hits.total,
    notes: notes.filter((note) => note !== null),
    receivedOn: dayOf(context.now()),
  };
}
