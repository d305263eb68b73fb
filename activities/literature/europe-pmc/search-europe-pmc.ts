import { z } from 'zod';
import { dayOf, type Findings } from '../findings';
import type { LiteratureSettings } from '../literature-settings';
import { literatureTool } from '../literature-tool';
import { maxResultsArgument, oneLine, queryArgument, SEARCH_VIEW } from '../search-arguments';
import type { LiteratureContext, LiteratureSource } from '../source';
import { type EuropePmcHits, searchEuropePmc } from './europe-pmc-client';

const SORTS = { relevance: null, date: 'P_PDATE_D desc', cited: 'CITED desc' } as const;

const schema = z.strictObject({
  query: queryArgument(
    'Words or a query in Europe PMC syntax (TITLE:, AUTH:, DOI:"…", SRC:PPR, AND, OR, NOT).',
  ),
  maxResults: maxResultsArgument,
  sort: z
    .enum(['relevance', 'date', 'cited'])
    .default('relevance')
    .describe('Best match, newest, or most cited first.'),
});

/** Europe PMC: papers, preprints and patents; says which works have an open full text. */
export function searchEuropePmcSource(settings: LiteratureSettings): LiteratureSource {
  return literatureTool({
    name: 'search_europe_pmc',
    description:
      'Searches Europe PMC (life sciences: papers, preprints, patents) and returns titles, abstracts, ids and where an ' +
      'open full text can be fetched. Preprints and retracted papers are marked.',
    schema,
    readingVersion: 1,
    question: (args) => ({ ...args, query: oneLine(args.query), base: settings.baseUrls.europePmc }),
    view: () => SEARCH_VIEW,
    async ask(args, context) {
      const search = { query: oneLine(args.query), maxResults: args.maxResults, sort: SORTS[args.sort] };
      return findingsOf(await searchEuropePmc(settings, context, search), context);
    },
  });
}

function findingsOf({ total, documents, unreadable }: EuropePmcHits, context: LiteratureContext): Findings {
  const outcome = documents.length === 0 ? 'nothing_found' : unreadable > 0 ? 'part_found' : 'found';
  return {
    outcome,
    documents,
    total,
    notes: unreadable > 0 ? [{ says: `${unreadable} of the records could not be read.` }] : [],
    receivedOn: dayOf(context.now()),
  };
}
