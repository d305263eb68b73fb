import { z } from 'zod';
import { SourceFailure } from '../failure';
import { dayOf, type Findings } from '../findings';
import type { LiteratureSettings } from '../literature-settings';
import { literatureTool } from '../literature-tool';
import { maxResultsArgument, oneLine, queryArgument, SEARCH_VIEW } from '../search-arguments';
import type { LiteratureContext, LiteratureSource } from '../source';
import { askArxiv } from './arxiv-client';
import type { ArxivFeed } from './arxiv-feed';
import { arxivQuery } from './arxiv-query';

const schema = z.strictObject({
  query: queryArgument(
    'Words (all have to occur), "phrases", fields (ti: au: abs: cat: all:), AND, OR, ANDNOT in capitals.',
  ),
  maxResults: maxResultsArgument,
  sort: z
    .enum(['relevance', 'submittedDate'])
    .default('relevance')
    .describe('Best match first, or newest first.'),
});

/** arXiv: preprints; withdrawn ones are marked. */
export function searchArxivSource(settings: LiteratureSettings): LiteratureSource {
  return literatureTool({
    name: 'search_arxiv',
    description:
      'Searches arXiv (preprints: physics, mathematics, computer science, quantitative biology) and returns titles, ' +
      'abstracts and ids. Not peer reviewed; withdrawn papers are marked.',
    schema,
    readingVersion: 1,
    question: (args) => ({ ...args, query: arxivQuery(oneLine(args.query)), base: settings.baseUrls.arxiv }),
    view: () => SEARCH_VIEW,
    async ask(args, context) {
      const parameters = {
        search_query: arxivQuery(oneLine(args.query)),
        start: '0',
        max_results: String(args.maxResults),
        sortBy: args.sort,
        sortOrder: 'descending',
      };
      return findingsOf(await askTwiceWhenEmpty(settings, context, parameters), context);
    },
  });
}

/** arXiv now and then gives an empty feed, even with a total of 0, for a search that has hits. */
async function askTwiceWhenEmpty(
  settings: LiteratureSettings,
  context: LiteratureContext,
  parameters: Record<string, string>,
): Promise<ArxivFeed> {
  const first = await askArxiv(settings, context, parameters);
  if (first.documents.length > 0) return first;
  const second = await askArxiv(settings, context, parameters);
  if (second.documents.length === 0 && second.total > 0)
    throw new SourceFailure('unreadable', 'arXiv says that papers match, but sent none, twice.');
  return second;
}

function findingsOf({ total, searchedAs, documents }: ArxivFeed, context: LiteratureContext): Findings {
  return {
    outcome: documents.length > 0 ? 'found' : 'nothing_found',
    documents,
    total,
    notes: searchedAs ? [{ says: 'arXiv ran:', quoted: searchedAs }] : [],
    receivedOn: dayOf(context.now()),
  };
}
